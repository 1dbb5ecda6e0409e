import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import {
  newPasswordRule,
  oneTimeCode,
  setupSession,
} from '../../kernel/contract/descriptions/common-texts.ts'
import {
  anyText,
  dateTime,
  flag,
  id,
  integer,
  nonEmptyText,
  text,
  text255,
  texts,
} from '../../kernel/contract/fields.ts'
import {
  deletionGraceDays,
  emailCodeGuesses,
  emailCodeLifetimeMs,
  recoveryCodesPerUser,
  totpDriftMaxSteps,
} from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { exampleUserDetail, ServiceUserDetail } from '../directory/users.models.ts'
import {
  exampleCode,
  exampleCodeRequest,
  exampleCredentials,
  exampleEmailCode,
  exampleIds,
  examplePassword,
  exampleTimes,
} from '../example-values.models.ts'

export const AuthLoginEndpointRequest = z.strictObject({
  username: nonEmptyText,
  password: nonEmptyText,
  otp: z.optional(z.nullable(anyText)),
  new_password: z.optional(z.nullable(nonEmptyText)),
  second_factor_setup: z.optional(flag),
})
export type AuthLoginEndpointRequest = z.output<typeof AuthLoginEndpointRequest>

describeModel(AuthLoginEndpointRequest, () => ({
  description:
    'A sign-in with a username and a password. If an answer asks for more, send the whole request again with the additional field.',
  fields: {
    username:
      'The username, without regard to case. A verified email address works, too, unless the operator turned that off.',
    password: 'The password of the user.',
    otp: oneTimeCode,
    new_password: `A new password. Required after the reason \`password_change_required\`, and allowed at any sign-in. ${newPasswordRule} It ends all other sessions and tickets of the user.`,
    second_factor_setup: setupSession,
  },
  example: { username: 'ada', password: examplePassword, otp: exampleCode },
}))

const maybeText = z.optional(nonEmptyText)

export const AuthLoginEndpointResponse = z.strictObject({
  user: ServiceUserDetail,
  reason: maybeText,
  detail: maybeText,
  redirect: maybeText,
  session_key: nonEmptyText,
})
export type AuthLoginEndpointResponse = z.output<typeof AuthLoginEndpointResponse>

const neverSentDescription =
  'Known to published clients. This service never sends it: an incomplete sign-in is an error.'

describeModel(AuthLoginEndpointResponse, () => ({
  description: 'A new session and its user. Sign-ins and redeemed access links have this response.',
  fields: {
    user: 'The user who is signed in now. For an access link, the recipient without permissions and groups.',
    session_key:
      'The session, with the prefix `lks_`. Secret: it can do all that the user may. Send it as `Authorization: Bearer`. Always present. Browsers on the origin of the service also get it as a cookie.',
    redirect:
      'The `default_page` of the user, if it is a page of another allowed origin. Send the browser there after the sign-in.',
    reason: neverSentDescription,
    detail: neverSentDescription,
  },
  example: { user: exampleUserDetail, session_key: exampleCredentials.session },
}))

export const FindSignInRouteRequest = z.strictObject({
  username: z.optional(anyText),
  domain: z.optional(anyText),
  connection: z.optional(anyText),
})
export type FindSignInRouteRequest = z.output<typeof FindSignInRouteRequest>

describeModel(FindSignInRouteRequest, () => ({
  description: 'Who wants to sign in. The first field that leads to an identity provider counts.',
  fields: {
    connection: { description: 'The ID of a SAML provider or an OpenID Connect connection.', example: '2' },
    domain: { description: 'An email domain.', example: 'example.com' },
    username: 'A username or an email address. Only the domain of an address counts.',
  },
  example: { username: 'ada@example.com' },
}))

export const FindSignInRouteResponse = z.strictObject({ login_url: z.nullable(nonEmptyText) })
export type FindSignInRouteResponse = z.output<typeof FindSignInRouteResponse>

describeModel(FindSignInRouteResponse, () => ({
  description: 'Where a sign-in goes on.',
  fields: {
    login_url: {
      description:
        'The URL that starts the sign-in at an identity provider, without `return_to`. Null for everyone who goes on here, with or without an account.',
      example: 'https://auth.example.com/api/2/auth/saml/2/sso',
    },
  },
  example: { login_url: 'https://auth.example.com/api/2/auth/saml/2/sso' },
}))

export const RequestEmailCodeRequest = z.strictObject({ username: nonEmptyText })
export type RequestEmailCodeRequest = z.output<typeof RequestEmailCodeRequest>

describeModel(RequestEmailCodeRequest, () => ({
  description: 'The user who wants to sign in with an emailed code.',
  fields: { username: 'The username or the verified email address of the user, without regard to case.' },
  example: { username: 'ada' },
}))

export const RequestEmailCodeResponse = z.strictObject({
  request_id: nonEmptyText,
  expires: dateTime,
})
export type RequestEmailCodeResponse = z.output<typeof RequestEmailCodeResponse>

describeModel(RequestEmailCodeResponse, () => ({
  description:
    'A request for an emailed code. It looks the same with and without an account, so it does not show whether an email was sent.',
  fields: {
    request_id:
      'The secret half of the sign-in: the code works only together with it. Keep it in the browser that asked.',
    expires: `When the code stops working: ISO 8601, UTC, ${describeDuration(emailCodeLifetimeMs)} after the request.`,
  },
  example: { request_id: exampleCodeRequest, expires: exampleTimes.codeEnd },
}))

export const EmailCodeLoginRequest = z.strictObject({
  request_id: text(64),
  code: text(64),
  otp: z.optional(z.nullable(anyText)),
  second_factor_setup: z.optional(flag),
})
export type EmailCodeLoginRequest = z.output<typeof EmailCodeLoginRequest>

describeModel(EmailCodeLoginRequest, () => ({
  description: 'A sign-in with an emailed code. The code replaces the password and nothing else.',
  fields: {
    request_id: 'The value of `request_id` from the response to the request for the code.',
    code: `The code from the email: eight digits. Spaces and hyphens are ignored. After ${emailCodeGuesses} attempts, it no longer works.`,
    otp: oneTimeCode,
    second_factor_setup: setupSession,
  },
  example: { request_id: exampleCodeRequest, code: exampleEmailCode },
}))

/** What proves the identity of a signed-in user. */
export const ReauthenticateRequest = z.strictObject({
  password: z.optional(nonEmptyText),
  otp: z.optional(z.nullable(anyText)),
})
export type ReauthenticateRequest = z.output<typeof ReauthenticateRequest>

describeModel(ReauthenticateRequest, () => ({
  description: 'What proves again that the user of a session is present.',
  fields: {
    password:
      'The current password of the user. Required, unless a code adds a second factor. A user without one signs in again instead. Wrong ones are limited like wrong passwords at the sign-in.',
    otp: oneTimeCode,
  },
  example: { password: examplePassword, otp: exampleCode },
}))

export const EnableTOTPRequest = z.strictObject({ key: nonEmptyText, otp: nonEmptyText })
export type EnableTOTPRequest = z.output<typeof EnableTOTPRequest>

const currentCodeDescription = 'The code of six digits that the authenticator app shows now.'

describeModel(EnableTOTPRequest, () => ({
  description:
    'The key of an authenticator app, and a code that proves that it has the key. One-time passwords follow RFC 6238: SHA-1, six digits, 30 seconds.',
  fields: {
    key: 'The key in base32, of 80 to 512 bits. The client generates it at random and shows it as a QR code. Secret: it is stored encrypted and never returned.',
    otp: `${currentCodeDescription} Its clock may be up to ${(totpDriftMaxSteps * 30) / 60} minutes off.`,
  },
  example: { key: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', otp: exampleCode },
}))

/** Recovery codes. Each works once instead of a one-time password. No other response contains them. */
export const EnableTOTP = z.strictObject({ recovery_codes: texts })
export type EnableTOTP = z.output<typeof EnableTOTP>

const recoveryCodesDescription = `${recoveryCodesPerUser} recovery codes. Each works once instead of a code of the authenticator app. Shown once: the user must store them now.`

/** The real ones have letters and digits at random. */
const exampleCodes = Array.from({ length: recoveryCodesPerUser }, (_, at) => `exam-p1e0-c0de-000${at}`)

describeModel(EnableTOTP, () => ({
  description:
    'The recovery codes of a second factor that was just turned on. No other response contains them.',
  fields: { recovery_codes: recoveryCodesDescription },
  example: { recovery_codes: exampleCodes },
}))

/** New recovery codes. The ones before no longer work. */
export const RecoveryCodes = z.strictObject({ recovery_codes: texts })
export type RecoveryCodes = z.output<typeof RecoveryCodes>

describeModel(RecoveryCodes, () => ({
  description: 'New recovery codes. The earlier ones no longer work. No other response contains them.',
  fields: { recovery_codes: recoveryCodesDescription },
  example: { recovery_codes: exampleCodes },
}))

export const SyncTOTPRequest = z.strictObject({ otp: nonEmptyText })
export type SyncTOTPRequest = z.output<typeof SyncTOTPRequest>

describeModel(SyncTOTPRequest, () => ({
  description: 'A code by which the service measures the clock of an authenticator app.',
  fields: { otp: `${currentCodeDescription} It is used up.` },
  example: { otp: exampleCode },
}))

/** How many steps of 30 seconds the clock of the authenticator app is ahead of the service. */
export const SyncTOTP = z.strictObject({ drift: integer })
export type SyncTOTP = z.output<typeof SyncTOTP>

describeModel(SyncTOTP, () => ({
  description: 'How far the clock of an authenticator app is off. The service allows for it from now on.',
  fields: {
    drift: `How many steps of 30 seconds the clock is ahead of the service: -${totpDriftMaxSteps} to ${totpDriftMaxSteps}. Negative if it is behind.`,
  },
  example: { drift: -1 },
}))

const deletionMode = z.enum(['off', 'ask', 'after_grace'])

const deletionModeDescription =
  '`off`: they cannot. `ask`: administrators get an email and decide. `after_grace`: the account is deleted after `account_deletion_grace_days`.'

/** What the service requires of sign-ins. A document replaces the whole policy. */
export const SignInPolicy = z.strictObject({
  second_factor_for_everybody: z.optional(flag),
  second_factor_for_permissions: z.optional(z.array(text255).check(z.maxLength(50))),
  second_factor_for_groups: z.optional(z.array(id).check(z.maxLength(100))),
  second_factor_grace_days: z.optional(integer.check(z.minimum(0), z.maximum(365))),
  password_only_min_length: z.optional(z.nullable(integer.check(z.minimum(0), z.maximum(128)))),
  allow_email_codes: z.optional(flag),
  account_deletion: z.optional(deletionMode),
  account_deletion_grace_days: z.optional(integer.check(z.minimum(1), z.maximum(90))),
})
export type SignInPolicy = z.output<typeof SignInPolicy>

describeModel(SignInPolicy, () => ({
  description:
    'What the service requires of sign-ins. A request replaces the whole policy: an omitted field requires nothing. It does not apply to SAML sign-ins, API tokens, access links, and existing sessions.',
  fields: {
    second_factor_for_everybody: 'Whether all users need a second factor. Default: `false`.',
    second_factor_for_permissions:
      'Who holds any of these permissions, also through a group, needs a second factor. Administrators hold every permission. At most 50. Default: empty.',
    second_factor_for_groups:
      'Members of groups with these IDs need a second factor. At most 100. Default: empty.',
    second_factor_grace_days:
      'The days that users have to set up a second factor. They count from a change of who needs one, or from the creation of the user. Default: 0.',
    password_only_min_length:
      'The least number of characters in new passwords of users without a second factor. Null for no requirement beyond the password policy. New services have 15.',
    allow_email_codes:
      'Whether users can sign in with a code that is emailed to them instead of their password. Anyone who reads the mailbox can then sign in. Default: `false`.',
    account_deletion: `Whether users can have their own account deleted. ${deletionModeDescription} Default: \`off\`.`,
    account_deletion_grace_days: `The days until an account is deleted. Users can withdraw their request until then. Default: ${deletionGraceDays}.`,
  },
  example: {
    second_factor_for_everybody: false,
    second_factor_for_permissions: ['system:admin-access', 'users:manage'],
    second_factor_for_groups: [],
    second_factor_grace_days: 14,
    password_only_min_length: 15,
    allow_email_codes: false,
    account_deletion: 'ask' as const,
    account_deletion_grace_days: 14,
  },
}))

/** What a dialog showed to the user who asks. */
export const AccountDeletionShown = z.strictObject({ user: id, mode: deletionMode, grace_days: integer })

describeModel(AccountDeletionShown, () => ({
  description: 'What a dialog showed to a user who has their account deleted.',
  fields: {
    user: 'The ID of the user.',
    mode: `What the request leads to. ${deletionModeDescription}`,
    grace_days: 'The days until the account is deleted.',
  },
  example: { user: exampleIds.user, mode: 'ask' as const, grace_days: 14 },
}))

/** A request of a dialog says what the dialog showed. */
export const AccountDeletionRequest = z.strictObject({ shown: z.optional(AccountDeletionShown) })
export type AccountDeletionRequest = z.output<typeof AccountDeletionRequest>

describeModel(AccountDeletionRequest, () => ({
  description: 'A request to delete the own account.',
  fields: {
    shown: 'What a dialog showed. If that has changed since, nothing is requested.',
  },
  example: {},
}))

/** Whether the current user can have their account deleted, and their request. */
export const AccountDeletion = z.strictObject({
  mode: deletionMode,
  grace_days: integer,
  requested_at: z.nullable(dateTime),
  due_at: z.nullable(dateTime),
})
export type AccountDeletion = z.output<typeof AccountDeletion>

describeModel(AccountDeletion, () => ({
  description: 'Whether the current user can have their account deleted, and their request.',
  fields: {
    mode: `What a request leads to. ${deletionModeDescription}`,
    grace_days: 'The days until the account of a new request is deleted. They count with `after_grace` only.',
    requested_at: 'When the user asked for it: ISO 8601, UTC. Null without a request.',
    due_at:
      'When the account is deleted: ISO 8601, UTC. Null without a request, or if administrators decide.',
  },
  example: {
    mode: 'after_grace' as const,
    grace_days: 14,
    requested_at: '2026-01-31T12:00:00.000Z',
    due_at: '2026-02-14T12:00:00.000Z',
  },
}))
