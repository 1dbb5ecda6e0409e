import { ticketLifetimeMs } from '../../../limits/limits.ts'
import { describeDuration } from '../../../util/time.ts'
import { exampleUrl } from '../example-values.ts'

const ticketLifetime = describeDuration(ticketLifetimeMs)

/** The two concepts that readers know from no other service. */
export const ticketsAndLinks = `## Tickets

A ticket passes a signed-in user from one of your servers to another, without giving away the session. It is a short text
that works once and for ${ticketLifetime}.

Think of a user who is signed in at \`app.example.com\` and clicks on a link to \`shop.example.com\`:

\`\`\`text
Browser                app.example.com         Latchkey          shop.example.com
   |                          |                    |                    |
   | 1. click on the link     |                    |                    |
   |------------------------->| 2. create ticket   |                    |
   |                          |------------------->|                    |
   |                          | 3. ticket          |                    |
   | 4. redirect with ticket  |<-------------------|                    |
   |<-------------------------|                    |                    |
   | 5. shop.example.com/?ticket=lkt_…             |                    |
   |------------------------------------------------------------------->|
   |                          |                    | 6. check ticket    |
   |                          |                    |<-------------------|
   |                          |                    | 7. the user        |
   |                          |                    |------------------->|
   | 8. the page, with a cookie of the shop        |                    |
   |<-------------------------------------------------------------------|
\`\`\`

- Step 2 is \`create_auth_ticket\` with the session of the user. Name the shop as \`audience\`, so that no other server can
  use the ticket.
- Step 6 is \`check_auth_ticket\`. The shop needs no credential and no secret. It sends its own origin as \`audience\`.
- After step 7, the shop opens a session of its own. The ticket is used up. So it does no harm in a log or in the history
  of the browser.
- A ticket ends with the session that created it. After a logout, no one can use it.

A sign-in through SAML can end in the same way: \`start_saml_auth\` adds a ticket to the page that it returns to.

## Access links

An access link opens single objects of your product for one recipient, also for people without an account. Its URL looks
like this:

\`\`\`text
${exampleUrl}/link#token=lka_…
\`\`\`

Responses and fields call it a one-time access token or \`access_token\`. The value is in the fragment of the URL, after \`#\`.
Browsers do not send the fragment to servers, so it is in no log.

**Its objects.** They belong to your product: a bundle is an item, a directory is a folder, and a root is the top folder
that contains both. Latchkey stores only what the creator sends, such as IDs, names and paths.

**Its terms.** The creator names the objects and the permissions on them. They can limit the link by an expiry, a number of
views and a password. The link works as long as its creator is enabled and has
the permission \`media:access\`.

**Its recipient.** A link for a user of the service works after they sign in. A link for an unknown email address, or
without a recipient, creates a guest: a user without a password and permissions. For a guest, the link is enough. So anyone
who has such a link can open it.

**How it is opened.** A page looks up the link with \`get_access_token_by_value\`, which takes no view. When the user decides to
open it, the page calls \`redeem_access_token\`. That takes one view and returns a session. The session shows this link and
nothing else, and it ends with the link. The link can have a page of your product instead of the page of the service: see
\`url\`.

**What your product does.** It reads the link with the session, and shows the objects in \`shared_bundles\` and
\`shared_directories\`. It must check that each requested object is one of them.`
