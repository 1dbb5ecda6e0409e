import { anyoneOrKnown } from '../../access.ts'
import { describe, exampleOf } from '../../describe.ts'
import { describeRateLimit } from '../../descriptions/common-texts.ts'
import {
  exampleCredentials,
  exampleGuestMini,
  exampleLinkPassword,
  exampleProductUrl,
} from '../../descriptions/example-values.ts'
import { RedeemAccessTokenRequest } from '../../models/access-token-requests.ts'
import { AuthLoginEndpointResponse } from '../../models/sign-in.ts'
import { ServiceUserDetail } from '../../models/users.ts'
import { defineOperation } from '../../operation.ts'

/** The user of a session that an access link opened: a guest has no password, permissions and groups. */
const exampleGuest = {
  ...exampleOf(ServiceUserDetail),
  ...exampleGuestMini,
  has_password: false,
  permissions: [],
  group_permissions: [],
  effective_permissions: [],
  groups: [],
}

/** The operation that opens an access link. */
export const accessTokensSharing = {
  redeemAccessToken: defineOperation({
    id: 'redeem_access_token',
    group: 'access-tokens',
    method: 'POST',
    path: '/api/2/auth/access-tokens/redeem',
    access: anyoneOrKnown,
    acceptsProduct: true,
    summary: 'Redeem an access link for a session of its recipient',
    body: RedeemAccessTokenRequest,
    responses: { 200: AuthLoginEndpointResponse },
    errors: [
      'not_found',
      'not_authenticated',
      'permission_denied',
      'login_failed',
      'login_incomplete',
      'too_many_requests',
    ],
    text: describe(() => ({
      description: `Opens an access link: takes one view and returns a session of the recipient as \`session_key\`. This is the only operation
that takes a view. If several requests compete for the last view, one of them succeeds.

The session shows this link and nothing else. It has none of the permissions of the recipient, and it ends with the
link. For a link with a password, send it as \`password\`: without it, the response is 403 \`login_incomplete\` with the
reason \`password_required\`. Wrong passwords are limited to ${describeRateLimit('linkGuessesPerNetwork')} per network, and ${describeRateLimit('linkGuesses')} in all.

A recipient who is not a guest must sign in first. Send their own session as bearer credential: without it, the response
is a 401, and for another user it is a 403. Links that do not work get a 404. The audit event is
\`access_token.redeemed\`.

\`redirect\` is the page of the product that the link leads to, if the setting \`linkUrl\` names one. Send it with the new session to
\`continue_to_return_url\`, which adds a ticket.`,
      parameters: {},
      request: [
        { summary: 'A link without a password', value: { token: exampleCredentials.accessLink } },
        {
          summary: 'A link with a password',
          value: { token: exampleCredentials.accessLink, password: exampleLinkPassword },
        },
      ],
      responses: {
        200: [
          {
            summary: 'A session of a guest',
            value: { user: exampleGuest, session_key: exampleCredentials.linkSession },
          },
          {
            summary: 'A session of a guest, and the product that the link leads to',
            value: {
              user: exampleGuest,
              redirect: `${exampleProductUrl}/shared`,
              session_key: exampleCredentials.linkSession,
            },
          },
        ],
      },
    })),
  }),
}
