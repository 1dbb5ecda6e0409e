import { exampleProductUrl, exampleUrl } from '../example-values.ts'

/** What the service is, and the first four requests. */
export const introduction = `Latchkey is a service for sign-in and access. It knows the users, groups and permissions of your products, opens and ends
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
