import {
  clientAddressHeader,
  clientAddressPermission,
  permissions,
} from '../../kernel/contract/permissions.ts'
import { scopes } from '../../kernel/contract/scopes.ts'
import {
  emailConfirmationLifetimeMs,
  invitationLifetimeMs,
  resetTokenLifetimeMs,
  secondFactorTokenLifetimeMs,
  securityReportLifetimeMs,
  ticketLifetimeMs,
} from '../../kernel/limits/limits.ts'
import { defaultRecentAuthenticationSeconds } from '../../kernel/settings/service-settings.ts'
import { defaultSessionLifetime } from '../../kernel/settings/session-lifetimes.ts'
import { describeDuration, second } from '../../kernel/util/time.ts'

const lifetime = describeDuration(defaultSessionLifetime.lifetimeMs)
const idleTime = describeDuration(defaultSessionLifetime.idleMs)
const recentTime = describeDuration(defaultRecentAuthenticationSeconds * second)

const buildRows = (texts: Readonly<Record<string, string>>): string =>
  Object.entries(texts)
    .map(([name, text]) => `| \`${name}\` | ${text} |`)
    .join('\n')

const isPermission = (name: string): boolean => Object.hasOwn(permissions, name)
const otherScopes = Object.fromEntries(Object.entries(scopes).filter(([name]) => !isPermission(name)))

/** How requests authenticate, what each credential can do, and how long it works. */
export const authentication = `## Authentication

Most operations need a credential. Send it in the header:

\`\`\`http
Authorization: Bearer lks_…
\`\`\`

A browser on a page of the service can send the session cookie instead. If a request has both, the header counts. A
missing, malformed, unknown, expired or ended credential gets the same 401 \`not_authenticated\`.

### Kinds of credentials

The prefix of a credential shows its kind. No kind works in place of another.

| kind | prefix | you get it from | it works | what it can do |
| --- | --- | --- | --- | --- |
| session | \`lks_\` | \`login\` and the other ways to sign in | ${lifetime} after the sign-in, or ${idleTime} without use | all that its user may |
| API token | \`lkp_\` | \`create_api_token\` | until it expires or is deleted | what its owner may, within its scopes |
| ticket | \`lkt_\` | \`create_auth_ticket\` | ${describeDuration(ticketLifetimeMs)}, once | prove who the user is |
| access link | \`lka_\` | \`create_access_token\` | as its creator decides | open the shared objects |
| reset token | \`lkr_\` | the email of \`request_password_reset\` | ${describeDuration(resetTokenLifetimeMs)}, once | set a new password; as bearer credential, generate and evaluate passwords |
| second factor token | \`lkf_\` | a \`login\` with the reason \`passkey_required\` or \`otp_required\` | ${describeDuration(secondFactorTokenLifetimeMs)}, once | continue the sign-in with a passkey |
| email confirmation | \`lkc_\` | an email to a new address | ${describeDuration(emailConfirmationLifetimeMs)}, once | confirm the address |
| invitation | \`lki_\` | an email to a new user | ${describeDuration(invitationLifetimeMs)}, once | sign in for the first time |
| security report | \`lkn_\` | an email about a change of the account | ${describeDuration(securityReportLifetimeMs)} | undo the change |

Lifetimes of sessions are the defaults. The service can have other ones, and shorter ones for administrators.

The service reads the user again for each request. So a logout, a disabled user or a removed permission counts at once.
Treat every credential like a password: send it over HTTPS only, and never write it to a log. If one leaks, send it to
\`report_leaked_credentials\`, which ends it.

### The session cookie

A sign-in sets the cookie \`__Host-latchkey\` (\`latchkey\` over plain HTTP), unless a page of another site sent the request.
Scripts cannot read it, and browsers send it to the service only. A request with the cookie that changes something must come from a page of the
service: the service checks the headers \`Sec-Fetch-Site\` and \`Origin\` that browsers send. Otherwise the response is 403.
This protects users against requests from other sites (CSRF).

Pages of other origins cannot use the cookie. If the service allows an origin, scripts of its pages can call the interface
with a bearer credential (CORS).

### Servers that act for their users

If your server calls \`login\` for its users, all sign-ins seem to come from its address. They then share the limits of one
address. So name the address of the user in the header \`${clientAddressHeader}\`, and send an API token with the scope
\`${clientAddressPermission}\` as the bearer credential. Operations that take this header list it as a parameter.

### Confirm the identity

A thief of a session must not be able to take over the account or the service. Some changes require that the user signed in or
confirmed their identity within the last ${recentTime}: those of credentials, of administrative rights, and of how others sign in. Otherwise the response is 403 with the reason \`reauthentication_required\`. Then
call \`confirm_identity\` with the password of the user, and repeat the request.

### Permissions

Users have permissions of their own and those of their groups. Together they are the \`effective_permissions\`. Some
operations require a permission, and the response is a 403 \`permission_denied\` without it. The service checks these:

| permission | what it allows |
| --- | --- |
${buildRows(permissions)}

Your products can have permissions of their own, of the form \`word:word\` or \`word:word:word\`. The service stores and returns
them, and your products check them.

### API tokens and scopes

An API token acts for the user who created it, for example in a script. It can never become more than that: operations that
change credentials, such as passwords or API tokens, need a session. Limit a token with \`scopes\`. It can then call only
operations of its scopes, and its permissions are limited to them. A request outside of them gets a 403 with the reason
\`insufficient_scope\`. Each permission is also a scope. These are the others:

| scope | what it allows |
| --- | --- |
${buildRows(otherScopes)}`
