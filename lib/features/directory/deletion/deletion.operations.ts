import { bySession, withScope } from '../../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import { AccountDeletion, AccountDeletionRequest } from '../../sign-in/models.ts'

/** How users have their own account deleted. */
export const usersDeletion = {
  getOwnAccountDeletion: defineOperation({
    id: 'get_own_account_deletion',
    group: 'users',
    method: 'GET',
    path: '/api/2/users/me/deletion',
    access: withScope('profile:view'),
    summary: 'Get whether the current user can have their account deleted',
    responses: { 200: docs && AccountDeletion },
    text:
      docs &&
      describe(() => ({
        description: `Gets whether the sign-in policy lets users have their own account deleted, and the request of the current user if there is
one.`,
        parameters: {},
        responses: { 200: [{ summary: 'A request', value: exampleOf(AccountDeletion) }] },
      })),
  }),
  requestAccountDeletion: defineOperation({
    id: 'request_account_deletion',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/me/deletion',
    access: bySession,
    summary: 'Ask for the deletion of the own account',
    body: AccountDeletionRequest,
    isBodyOptional: true,
    responses: { 200: docs && AccountDeletion },
    errors: ['permission_denied', 'conflict'],
    localChange: 'ends_access',
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['user.deletion_requested'],
    text:
      docs &&
      describe(() => ({
        description: `Asks for the deletion of the current user. Either administrators get an email and decide, or the account is deleted after
the grace period of the sign-in policy, unless it is disabled then. Repeating the request changes nothing. The user gets
an email. If someone else asked for it, a link in this email withdraws the request.

With the mode \`off\`, the response is 403. The last administrator gets 409, and so does a dialog whose text is no longer true.`,
        parameters: {},
        request: [{ summary: 'A request without a dialog', value: exampleOf(AccountDeletionRequest) }],
        responses: { 200: [{ summary: 'The request', value: exampleOf(AccountDeletion) }] },
      })),
  }),
  withdrawAccountDeletion: defineOperation({
    id: 'withdraw_account_deletion',
    group: 'users',
    method: 'DELETE',
    path: '/api/2/users/me/deletion',
    access: bySession,
    summary: 'Withdraw the request to delete the own account',
    responses: { 204: null },
    errors: ['permission_denied', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['user.deletion_withdrawn'],
    text:
      docs &&
      describe(() => ({
        description: `Ends the request of the current user, so that the account stays. The user gets an email about it. Without a request, it does nothing.`,
        parameters: {},
      })),
  }),
}
