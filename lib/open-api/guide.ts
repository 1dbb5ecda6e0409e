import { exampleProductUrl, exampleUrl } from '../accounts/example-values.models.ts'
import { bodyLimitBytes, listBytes, ticketLifetimeMs } from '../kernel/limits/limits.ts'
import { describeDuration } from '../kernel/util/time.ts'
import { authentication } from './guide/authentication.ts'
import { errors } from './guide/errors.ts'

/** What the service is, and the first four requests. */
const introduction = `Latchkey is a service for sign-in and access. It knows the users, groups and permissions of your products, opens and ends
sessions, and sends the emails for it. Your products ask it who is calling and what the caller may do.

All requests and responses are JSON over HTTPS, apart from some pages and SAML messages. The paths of the interface start
with \`/api/2\`.

| you want to | use |
| --- | --- |
| let users sign in to your product | OpenID Connect: register the product with \`create_oidc_client\`, and give your library the address of \`get_openid_configuration\` |
| show your own sign-in page | \`login\` |
| know who is calling | \`get_current_user\` |
| pass a user to another of your servers | [tickets](#tickets) |
| call the service from a script | [API tokens](#api-tokens-and-scopes) |
| share single objects with people outside | [access links](#access-links) |
| let customers sign in with their identity provider | \`start_saml_auth\` |

## Quick start

These commands sign in, ask who is calling, and pass the user to another server. Replace the URL, the username and the
password with yours.

\`\`\`sh
URL=${exampleUrl}

# 1. Sign in. The response has the session as "session_key".
curl -s "$URL/api/2/auth/login" -H 'Content-Type: application/json' \\
  -d '{"username": "ada", "password": "violin harbor mustard tent"}'
# {"user":{ … "username":"ada", … },"session_key":"lks_…"}
SESSION='the session_key of the response'

# 2. Who is calling, and what may they do?
curl -s "$URL/api/2/users/me" -H "Authorization: Bearer $SESSION"
# { … "username":"ada", … "effective_permissions":["media:access"], … }

# 3. Create a ticket for another server.
curl -s "$URL/api/2/auth/ticket" -H "Authorization: Bearer $SESSION" -H 'Content-Type: application/json' \\
  -d '{"audience": "${exampleProductUrl}"}'
# {"ticket":"lkt_…"}
TICKET='the ticket of the response'

# 4. The other server exchanges the ticket for the user. It needs no credential.
curl -s "$URL/api/2/auth/ticket/check" -H 'Content-Type: application/json' \\
  -d "{\\"ticket\\": \\"$TICKET\\", \\"audience\\": \\"${exampleProductUrl}\\"}"
# { … "username":"ada", … "effective_permissions":["media:access"], … }
\`\`\`

A second check of the same ticket gets a 404, because a ticket works once.`

const ticketLifetime = describeDuration(ticketLifetimeMs)

/** The two concepts that readers know from no other service. */
const ticketsAndLinks = `## Tickets

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

Responses and fields call it \`access_token\`. The value is in the fragment of the URL, after \`#\`.
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

const kilobytes = bodyLimitBytes / 1024
const listMegabytes = listBytes / 1024 / 1024

/** What holds for all operations, apart from errors. */
const conventions = `## Lists

A list returns a JSON array. Without \`limit\`, a page has up to 1,000 entries and at most ${listMegabytes} MB. So small lists come in one
response. If more entries follow, the response has a \`Link\` header with the URL of the next page:

\`\`\`http
Link: <${exampleUrl}/api/2/users?limit=200&cursor=…>; rel="next"
\`\`\`

Follow it until a response has no such header:

\`\`\`js
const users = []
for (let url = '${exampleUrl}/api/2/users?limit=200'; url; ) {
  const response = await fetch(url, { headers: { authorization: \`Bearer \${session}\` } })
  users.push(...(await response.json()))
  url = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
}
\`\`\`

- \`limit\` is the maximum number of entries, from 1 to 1,000. A page can have fewer although more follow.
- \`offset\` skips entries, up to 10,000. It is for clients that cannot read the header: add the number of entries that you
  got, until a page is empty.
- \`cursor\` is the position in the \`Link\` header. Do not build or change it. It works at any depth, for the same caller and the
  same filters.
- \`ordering\` names a field, such as \`name\`. With \`-\` before it, the order is descending. The default is \`id\`, unless the list
  says otherwise.

Filters are combined: an entry must match all of them.

## Requests and responses

- **Bodies** are JSON in UTF-8 with up to ${kilobytes} KiB, unless the operation says otherwise. Send \`Content-Type: application/json\`.
- **Unknown fields and parameters** are rejected with a 400 that names them, so that you notice typing errors.
- **Read-only fields** are ignored in requests. So you can read an object, change a field, and send it back.
- **PUT and PATCH.** \`PUT\` replaces an object: a field that you leave out gets its default. \`PATCH\` changes the fields that you
  send. In doubt, use \`PATCH\`.
- **Times** are ISO 8601 in UTC with milliseconds, such as \`2026-11-20T09:30:00.000Z\`. Requests can have any offset. A time
  without an offset is read as UTC.
- **IDs** are positive integers below 2,147,483,648. They are never used again after a deletion. Audit events have texts as
  IDs.
- **HEAD** works for each \`GET\` that changes nothing. It returns the same status and headers without the body.
- **A method that a path does not have** gets a 405 with the header \`Allow\`, such as \`HEAD\` for a step of a sign-in.
- **Success** is 200 with a body, 204 without a body, and 303 for a redirect. A new object is a 201, and its path is in the
  \`Location\` header.
- **Request IDs.** Each response has the header \`X-Request-Id\`. Name it when you report a problem.
- **Caching.** Responses have \`Cache-Control: no-store\`. Do not cache them.

## Versions

The number in the path is the version of the interface. Within version 2, existing clients keep working: paths, fields,
error codes, reasons and names of audit events stay as they are. New operations, optional parameters, fields of responses,
error codes, reasons and audit events can be added. So ignore fields that you do not know, and treat an unknown \`code\`
by its status.`

/** The start of the OpenAPI document, in CommonMark with tables. Readers need nothing else to begin. */
export const guide = [introduction, authentication, ticketsAndLinks, errors, conventions].join('\n\n')
