import { exampleCredentials } from '../../../accounts/example-values.models.ts'
import { UserInvitationState } from '../../../accounts/users/users.models.ts'
import { anyone, anyoneOrKnown, bySession, withPermission } from '../../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import { userIdDescription } from '../../../kernel/contract/descriptions/common-texts.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import {
  emailConfirmationLifetimeMs,
  invitationLifetimeMs,
  resetTokenLifetimeMs,
} from '../../../kernel/limits/limits.ts'
import { describeDuration } from '../../../kernel/util/time.ts'
import {
  ChangeOwnEmailRequest,
  ConfirmEmailRequest,
  EmailConfirmation,
  SendEmailConfirmationRequest,
} from '../users/profile.models.ts'

const manage = withPermission('users:manage')
const confirmationLifetimeDescription = docs && describeDuration(emailConfirmationLifetimeMs)

/** Links that the service emails to users, and the addresses that it sends them to. */
export const usersEmail = {
  sendPasswordReset: defineOperation({
    id: 'send_password_reset',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/{id}/password/reset',
    access: manage,
    summary: 'Email a user a password reset link',
    responses: { 204: null },
    errors: ['not_found', 'conflict', 'too_many_requests'],
    notWhileImpersonating: true,
    audit: ['password.reset_requested'],
    limits: ['resetRequestsPerRequester'],
    text:
      docs &&
      describe(() => ({
        description: `Emails a user a link with which they choose a new password. It also invites a new user. The link works once, for
${describeDuration(resetTokenLifetimeMs)}. The current password stays valid until the user chooses another one.

The user must be enabled, have a verified email address, and be allowed to choose a password: otherwise the response is
409. Above the limit, no email is sent.`,
        parameters: { id: userIdDescription },
      })),
  }),
  inviteUser: defineOperation({
    id: 'invite_user',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/{id}/invite',
    access: manage,
    summary: 'Email a user an invitation to sign in for the first time',
    responses: { 200: docs && UserInvitationState },
    errors: ['not_found', 'conflict', 'too_many_requests'],
    notWhileImpersonating: true,
    audit: ['user.invited'],
    limits: ['invitationsPerAccount', 'invitationsPerInviter', 'invitationsPerRecipient'],
    decidesSignIn: 'caller',
    text:
      docs &&
      describe(() => ({
        description: `Emails a user a link with which they sign in for the first time: with a password or passkey that they choose, or with the
account of their company. The link works once, for ${describeDuration(invitationLifetimeMs)}. Calling it again sends a new link and ends the earlier
one. The response shows the state of the invitation, never its link.

The user must be active, have an email address, and not be able to sign in yet. Otherwise the response is 409. The link
also confirms the address. It ends with a new address, with a disabled or deleted account, with a new password, and when all sessions of
the user end.`,
        parameters: { id: userIdDescription },
        responses: { 200: [{ summary: 'A sent invitation', value: exampleOf(UserInvitationState) }] },
      })),
  }),
  revokeInvitation: defineOperation({
    id: 'revoke_invitation',
    group: 'users',
    method: 'DELETE',
    path: '/api/2/users/{id}/invite',
    access: manage,
    summary: 'Revoke the invitation of a user',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    audit: ['invitation.revoked'],
    text:
      docs &&
      describe(() => ({
        description: `Ends the link of an invitation that was not accepted, also of an expired one. Without such an invitation, the response is
404.`,
        parameters: { id: userIdDescription },
      })),
  }),
  changeOwnEmail: defineOperation({
    id: 'change_own_email',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/me/email',
    access: bySession,
    summary: "Change the current user's email address after a confirmation",
    body: ChangeOwnEmailRequest,
    responses: { 204: null },
    errors: ['too_many_requests', 'conflict'],
    localChange: 'refused',
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['email.change_requested'],
    limits: [
      ...(['emailConfirmationsPerAccount', 'emailConfirmationsPerRecipient'] as const),
      ...(['signUpsPerAddress', 'mailRequests'] as const),
    ],
    text:
      docs &&
      describe(() => ({
        description: `Emails a link to a new address of the current user. The old address stays in use until the link is opened, within
${confirmationLifetimeDescription}. Until then, the profile shows the new one as \`pending_email\`. Sending the current address withdraws the
request.

The response is the same if another user has the address. An email to another address costs what a sign-up costs: it counts against the same
limit, and may need a proof of work.`,
        parameters: {},
        request: [{ summary: 'Another address', value: { email: 'ada.king@example.com' } }],
      })),
  }),
  sendEmailConfirmation: defineOperation({
    id: 'send_email_confirmation',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/{id}/email/confirmation',
    access: bySession,
    summary: 'Email a link that confirms the email address of a user',
    body: SendEmailConfirmationRequest,
    isBodyOptional: true,
    responses: { 204: null },
    errors: ['not_found', 'conflict', 'too_many_requests'],
    notWhileImpersonating: true,
    audit: ['email.confirmation_requested'],
    limits: [
      ...(['emailConfirmationsPerAccount', 'emailConfirmationsPerRecipient'] as const),
      ...(['signUpsPerAddress', 'mailRequests'] as const),
    ],
    text:
      docs &&
      describe(() => ({
        description: `Sends the email with the link that confirms an address again. Users can do this for themselves, and callers with the permission
\`users:manage\` for others. The link works once, for ${confirmationLifetimeDescription}, and ends earlier links. If no address waits for a
confirmation, the response is 409. For the own account, it costs what a sign-up costs, and may need a proof of work.`,
        parameters: { id: userIdDescription },
        request: [{ summary: 'Without a proof of work', value: {} }],
      })),
  }),
  findEmailConfirmation: defineOperation({
    id: 'find_email_confirmation',
    group: 'users',
    method: 'POST',
    path: '/api/2/auth/confirm-email/link',
    access: anyoneOrKnown,
    summary: 'Look up a link that confirms an email address, without using it',
    body: ConfirmEmailRequest,
    responses: { 200: docs && EmailConfirmation },
    errors: ['invalid_token', 'too_many_requests'],
    limits: ['lookUpFailures'],
    text:
      docs &&
      describe(() => ({
        description: `Shows for which account the address was entered, and what is missing before the link counts. It uses nothing, however often it is
called.

An unknown, used or expired token is a 400 \`invalid_token\`.`,
        parameters: {},
        request: [{ summary: 'A token', value: { token: exampleCredentials.emailConfirmation } }],
        responses: { 200: [{ summary: 'A link that needs a sign-in', value: exampleOf(EmailConfirmation) }] },
      })),
  }),
  confirmEmail: defineOperation({
    id: 'confirm_email',
    group: 'users',
    method: 'POST',
    path: '/api/2/auth/confirm-email',
    access: anyoneOrKnown,
    summary: 'Confirm an email address with the link that was sent to it',
    body: ConfirmEmailRequest,
    responses: { 204: null },
    errors: ['invalid_token', 'permission_denied', 'conflict', 'too_many_requests'],
    localChange: 'refused',
    audit: ['email.confirmed', 'email.claim_ended', 'user.renamed'],
    limits: ['lookUpFailures'],
    text:
      docs &&
      describe(() => ({
        description: `Confirms an email address with the token of the link that was sent to it, in a session of the account. From then on, the user can get
reset links and access links at the address, and sign in with it.

The link alone counts only for an account that nobody can sign in to yet, and whose address somebody else entered who may. Otherwise, the
response without a session is a 403 \`sign_in_required\`, and that with a session of somebody else a 403 \`other_account\`. The link stays valid.

An unknown, used or expired token is a 400 \`invalid_token\`. If another user has the address, the response is 409, and the
token stays valid. A replaced address gets an email about the change.`,
        parameters: {},
        request: [{ summary: 'A token', value: { token: exampleCredentials.emailConfirmation } }],
      })),
  }),
  rejectEmailConfirmation: defineOperation({
    id: 'reject_email_confirmation',
    group: 'users',
    method: 'POST',
    path: '/api/2/auth/confirm-email/reject',
    access: anyone,
    summary: 'End the claim of an account to an email address, with the link that was sent there',
    body: ConfirmEmailRequest,
    responses: { 204: null },
    errors: ['invalid_token', 'conflict', 'too_many_requests'],
    audit: ['email.claim_ended'],
    limits: ['lookUpFailures'],
    text:
      docs &&
      describe(() => ({
        description: `For the person who reads the mailbox, and whose account it is not. The account loses the address that waits for a confirmation, and
the link ends. It needs no session, because the link proves the mailbox. A verified address of the account stays.

An unknown, used or expired token is a 400 \`invalid_token\`.`,
        parameters: {},
        request: [{ summary: 'A token', value: { token: exampleCredentials.emailConfirmation } }],
      })),
  }),
}
