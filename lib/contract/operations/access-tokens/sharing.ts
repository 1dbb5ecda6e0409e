import { anyoneOrKnown, withScope } from '../../access.ts'
import { describe, exampleOf } from '../../describe.ts'
import { describeRateLimit } from '../../descriptions/common-texts.ts'
import {
  exampleBundle,
  exampleCredentials,
  exampleDirectory,
  exampleGuestMini,
  exampleLinkPassword,
  exampleProductUrl,
} from '../../descriptions/example-values.ts'
import { RedeemAccessTokenRequest } from '../../models/access-token-requests.ts'
import { OneTimeAccessToken } from '../../models/access-tokens.ts'
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

const describeGet = (kind: 'bundle' | 'directory') => ({
  description: `Gets the link with which the caller shares the ${kind} easily: one that \`create_access_token\` or
\`share_media_library_objects\` created with \`is_easy_sharing\`. Of several such links, for other recipients or terms, it is the
newest that works. Links of other users are never shown, not even to administrators.`,
  parameters: describeId(kind),
})

const describeDelete = (kind: 'bundle' | 'directory') => ({
  description: `Deletes all links with which the caller shares the ${kind} easily, as \`delete_access_token\` does. Other links to the
${kind} remain. If a request cannot delete all of them in time, it gets a 409: send it again. The audit event of each link is
\`access_token.deleted\`.`,
  parameters: describeId(kind),
})

const describeId = (kind: 'bundle' | 'directory') => ({
  id: {
    description: `The ID of the ${kind} in the media library.`,
    example: kind === 'bundle' ? exampleBundle.id : exampleDirectory.id,
  },
})

/** Operations that open an access link, and those on links that were shared easily. */
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
  getEasySharingTokenForBundle: defineOperation({
    id: 'get_easy_sharing_token_for_bundle',
    group: 'access-tokens',
    method: 'GET',
    path: '/api/2/media/bundles/{id}/easy-sharing-token',
    access: withScope('links:view'),
    summary: 'Get the easy-sharing link of a bundle',
    responses: { 200: OneTimeAccessToken },
    errors: ['not_found'],
    text: describe(() => describeGet('bundle')),
  }),
  deleteEasySharingTokenForBundle: defineOperation({
    id: 'delete_easy_sharing_token_for_bundle',
    group: 'access-tokens',
    method: 'DELETE',
    path: '/api/2/media/bundles/{id}/easy-sharing-token',
    access: withScope('links:manage'),
    summary: 'End easy sharing of a bundle',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    text: describe(() => describeDelete('bundle')),
  }),
  getEasySharingTokenForDirectory: defineOperation({
    id: 'get_easy_sharing_token_for_directory',
    group: 'access-tokens',
    method: 'GET',
    path: '/api/2/media/files/{id}/easy-sharing-token',
    access: withScope('links:view'),
    summary: 'Get the easy-sharing link of a directory',
    responses: { 200: OneTimeAccessToken },
    errors: ['not_found'],
    text: describe(() => describeGet('directory')),
  }),
  deleteEasySharingTokenForDirectory: defineOperation({
    id: 'delete_easy_sharing_token_for_directory',
    group: 'access-tokens',
    method: 'DELETE',
    path: '/api/2/media/files/{id}/easy-sharing-token',
    access: withScope('links:manage'),
    summary: 'End easy sharing of a directory',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    text: describe(() => describeDelete('directory')),
  }),
}
