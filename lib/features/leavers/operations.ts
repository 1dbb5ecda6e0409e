import { withPermission } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { userIdDescription } from '../../kernel/contract/descriptions/common-texts.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { EndedHoldings, EndHoldingsRequest, UserHoldings } from './models.ts'

const access = withPermission('users:manage')

/** What a user holds, and the end of all of it. */
export const leavers = {
  getUserHoldings: defineOperation({
    id: 'get_user_holdings',
    group: 'leaks',
    method: 'GET',
    path: '/api/2/users/{id}/holdings',
    access,
    summary: 'Get what a user holds',
    responses: { 200: docs && UserHoldings },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Counts everything that \`end_user_holdings\` would end of a user, by its kind. What others may use is listed first: the access
links that the user made, and their API tokens. Callers see this only of users whose permissions they hold themselves.`,
        parameters: { id: userIdDescription },
        responses: { 200: [{ summary: 'What a user holds', value: exampleOf(UserHoldings) }] },
      })),
  }),
  endUserHoldings: defineOperation({
    id: 'end_user_holdings',
    group: 'leaks',
    method: 'POST',
    path: '/api/2/users/{id}/holdings/end',
    access,
    summary: 'End everything that a user holds',
    body: EndHoldingsRequest,
    responses: { 200: docs && EndedHoldings },
    errors: ['not_found', 'conflict'],
    localChange: 'ends_access',
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: [
      'user.everything_ended',
      'access_token.deleted',
      'api_token.deleted',
      'organization.invitation_revoked',
      'passkey.removed',
      'saml_setup.link_revoked',
      'user.deleted',
    ],
    text:
      docs &&
      describe(() => ({
        description: `Ends what a person holds who leaves: sessions with their tickets and the access of clients, API tokens, access links, remembered
devices, reset links, and open invitations, also those that the user sent. Password and passkeys end as well if the request says so. The first
write ends all sessions. So nothing remains that an older session makes at the same time.

API tokens that others are replacing can keep working for some days: name them in \`kept_api_tokens\`. Whatever ends the sessions of the user again ends
these tokens as well, such as a report, a new password, disabling the account, or another request without them.

These stay: the second factor, accounts at identity providers, permissions, groups and memberships. API tokens of organizations stay, because the
whole organization may depend on them. The account stays enabled. To keep the person out, disable the user as well.

If \`is_complete\` is false, or if a request fails, repeat it, and it continues. Callers can do this only to users whose permissions they hold
themselves, and not to their own account: that is a 409. The user gets an email about API tokens and passkeys.`,
        parameters: { id: userIdDescription },
        request: [
          { summary: 'Everything', value: exampleOf(EndHoldingsRequest) },
          { summary: 'Without password and passkeys, and all API tokens', value: {} },
        ],
        responses: { 200: [{ summary: 'What has ended', value: exampleOf(EndedHoldings) }] },
      })),
  }),
}
