import { ServiceUserDetail } from '../../models/user-detail.ts'
import type { accessTokens } from '../../operations/access-tokens.ts'
import type { OperationTexts } from '../describe.ts'
import { describeRateLimit } from '../describe-rate-limit.ts'
import { exampleOf } from '../example-of.ts'
import {
  exampleCredentials,
  exampleGuestMini,
  exampleLinkPassword,
  exampleProductUrl,
} from '../example-values.ts'

const { accessLink } = exampleCredentials

/** The user of a session that an access link opened: a guest has no password, permissions and groups. */
const guest = {
  ...exampleOf(ServiceUserDetail),
  ...exampleGuestMini,
  has_password: false,
  permissions: [],
  group_permissions: [],
  effective_permissions: [],
  groups: [],
}

export const redemptionTexts: Pick<OperationTexts<typeof accessTokens>, 'redeemAccessToken'> = {
  redeemAccessToken: {
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
      { summary: 'A link without a password', value: { token: accessLink } },
      { summary: 'A link with a password', value: { token: accessLink, password: exampleLinkPassword } },
    ],
    responses: {
      200: [
        {
          summary: 'A session of a guest',
          value: { user: guest, session_key: exampleCredentials.linkSession },
        },
        {
          summary: 'A session of a guest, and the product that the link leads to',
          value: {
            user: guest,
            redirect: `${exampleProductUrl}/shared`,
            session_key: exampleCredentials.linkSession,
          },
        },
      ],
    },
  },
}
