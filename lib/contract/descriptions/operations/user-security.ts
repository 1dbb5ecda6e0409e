import {
  emailConfirmationLifetimeMs,
  invitationLifetimeMs,
  recoveryCodesPerUser,
  resetTokenLifetimeMs,
} from '../../../limits/limits.ts'
import { describeDuration } from '../../../util/describe-duration.ts'
import { UserInvitationState } from '../../models/user-invitation.ts'
import type { users } from '../../operations/users.ts'
import type { OperationTexts } from '../describe.ts'
import { describeRateLimit } from '../describe-rate-limit.ts'
import { exampleOf } from '../example-of.ts'
import { exampleCode, exampleCredentials } from '../example-values.ts'

const id = { description: 'The ID of the user.', example: 7 } as const
const ownId = {
  description: 'The ID of the current user. The ID of another user is a 404.',
  example: 7,
} as const

const confirmationLifetime = describeDuration(emailConfirmationLifetimeMs)
const recoveryCodes = {
  recovery_codes: Array.from({ length: recoveryCodesPerUser }, (_, at) => `exam-p1e0-0000-000${at}`),
}

type SecurityOperation =
  | 'sendPasswordReset'
  | 'inviteUser'
  | 'revokeInvitation'
  | 'changeOwnEmail'
  | 'sendEmailConfirmation'
  | 'confirmEmail'
  | 'enableTotp'
  | 'renewRecoveryCodes'
  | 'syncTotp'
  | 'disableTotp'

/** Describes what users and their managers do about email addresses, reset links and one-time passwords. */
export const userSecurityTexts: Pick<OperationTexts<typeof users>, SecurityOperation> = {
  sendPasswordReset: {
    description: `Emails a user a link with which they choose a new password. It also invites a new user. The link works once, for
${describeDuration(resetTokenLifetimeMs)}. The current password stays valid until the user chooses another one.

The user must be enabled, have a verified email address, and be allowed to choose a password: otherwise the response is
409. The limit is ${describeRateLimit('resetRequestsPerRequester')} per account and administrator, above which no email is sent. The audit event is \`password.reset_requested\`.`,
    parameters: { id },
  },
  inviteUser: {
    description: `Emails a user a link with which they sign in for the first time: with a password or passkey that they choose, or with the
account of their company. The link works once, for ${describeDuration(invitationLifetimeMs)}. Calling it again sends a new link and ends the earlier
one. The response shows the state of the invitation, never its link.

The user must be active, have an email address, and not be able to sign in yet. Otherwise the response is 409. The link
also confirms the address. It ends with a new address, with a disabled or deleted account, with a new password, and when all sessions of
the user end. The limits are ${describeRateLimit('invitationsPerAccount')} per invited user and ${describeRateLimit('invitationsPerInviter')} per inviter. The audit
event is \`user.invited\`.`,
    parameters: { id },
    responses: { 200: [{ summary: 'A sent invitation', value: exampleOf(UserInvitationState) }] },
  },
  revokeInvitation: {
    description: `Ends the link of an invitation that was not accepted, also of an expired one. Without such an invitation, the response is
404. The audit event is \`invitation.revoked\`.`,
    parameters: { id },
  },
  changeOwnEmail: {
    description: `Emails a link to a new address of the current user. The old address stays in use until the link is opened, within
${confirmationLifetime}. Until then, the profile shows the new one as \`pending_email\`. Sending the current address withdraws the
request.

The response is the same if another user has the address. The limit is ${describeRateLimit('emailConfirmationsPerAccount')}. The audit event is
\`email.change_requested\`.`,
    parameters: {},
    request: [{ summary: 'Another address', value: { email: 'ada.king@example.com' } }],
  },
  sendEmailConfirmation: {
    description: `Sends the email with the link that confirms an address again. Users can do this for themselves, and callers with the permission
\`users:manage\` for others. The link works once, for ${confirmationLifetime}, and ends earlier links. If no address waits for a
confirmation, the response is 409. The limit is ${describeRateLimit('emailConfirmationsPerAccount')} per user. The audit event is
\`email.confirmation_requested\`.`,
    parameters: { id },
  },
  confirmEmail: {
    description: `Confirms an email address with the token of the link that was sent to it. It needs no session, because the link proves the
address and gives no access. From then on, the user can get reset links and access links at the address, and sign in
with it.

An unknown, used or expired token is a 400 \`invalid_token\`. If another user has the address, the response is 409, and the
token stays valid. A replaced address gets an email about the change. The audit event is \`email.confirmed\`.`,
    parameters: {},
    request: [{ summary: 'A token', value: { token: exampleCredentials.emailConfirmation } }],
  },
  enableTotp: {
    description: `Turns on one-time passwords (TOTP, RFC 6238) as the second factor of the current user. First generate a random key, and
show it to the authenticator app, usually as a QR code. Then send the key with a code that the app shows.

The response has ${recoveryCodesPerUser} recovery codes. Each works once instead of a code of the app. Show them to the user: no later response
contains them. All other sessions of the user end. If a second factor is already on, the response is 409. The user gets an
email about it. The audit event is \`totp.enabled\`.`,
    parameters: { id: ownId },
    request: [
      {
        summary: 'A key and a code that the app shows for it',
        value: { key: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', otp: exampleCode },
      },
    ],
    responses: { 200: [{ summary: 'Recovery codes', value: recoveryCodes }] },
  },
  renewRecoveryCodes: {
    description: `Replaces the recovery codes of the current user. The old ones end, and only this response contains the new ones. Without a
second factor, the response is 404. The user gets an email about it. The audit event is \`totp.recovery_codes_renewed\`.`,
    parameters: { id: ownId },
    responses: { 200: [{ summary: 'Recovery codes', value: recoveryCodes }] },
  },
  syncTotp: {
    description: `Measures how far the clock of the user's authenticator app is off, in steps of 30 seconds, and accepts its codes from then
on. Use it if the codes of a user are refused. A wrong code is a 403 \`login_incomplete\`. Without a second factor, the
response is 404. The audit event is \`totp.synced\`.`,
    parameters: { id: ownId },
    request: [{ summary: 'A code that the app shows', value: { otp: exampleCode } }],
    responses: { 200: [{ summary: 'A clock that is a minute ahead', value: { drift: 2 } }] },
  },
  disableTotp: {
    description: `Turns off the one-time passwords of a user. Users send a code of their app or a recovery code as \`otp\` for their own.
Callers with the permission \`users:manage\` can turn off those of others without a code, such as after a lost phone. If
they are off already, the response is also 204. The user gets an email about it. The audit event is \`totp.disabled\`.`,
    parameters: {
      id,
      otp: {
        description: 'For the own account: a code of the authenticator app, or a recovery code.',
        example: exampleCode,
      },
    },
  },
}
