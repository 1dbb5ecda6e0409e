import * as z from 'zod/mini'
import {
  exampleCode,
  exampleCodeRequest,
  exampleCredentials,
  exampleEmailCode,
  exampleIds,
  examplePassword,
  exampleTimes,
} from '../../accounts/example-values.models.ts'
import { exampleUserDetail, ServiceUserDetail } from '../../accounts/users/users.models.ts'
import {
  newPasswordRule,
  oneTimeCode,
  rememberDeviceDescription,
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
import { field, model } from '../../kernel/contract/model.ts'
import {
  deletionGraceDays,
  emailCodeGuesses,
  emailCodeLifetimeMs,
  recoveryCodesPerUser,
  rememberedDeviceDaysMax,
  totpDriftMaxSteps,
} from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { proof } from '../network-limits/models.ts'

export const AuthLoginEndpointRequest = model(
  {
    username: field(
      nonEmptyText,
      docs &&
        'The username, without regard to case. A verified email address works, too, unless the operator turned that off.',
    ),
    password: field(nonEmptyText, docs && 'The password of the user.'),
    otp: field(z.optional(z.nullable(anyText)), docs && oneTimeCode),
    new_password: field(
      z.optional(z.nullable(nonEmptyText)),
      docs &&
        `A new password. Required after the reason \`password_change_required\`, and allowed at any sign-in. ${newPasswordRule} It ends all other sessions and tickets of the user.`,
    ),
    second_factor_setup: field(z.optional(flag), docs && setupSession),
    remember_device: field(z.optional(flag), docs && rememberDeviceDescription),
    ask_second_factor: field(
      z.optional(flag),
      docs && 'Whether to ask for the second factor in a remembered browser, too. Default: `false`.',
    ),
  },
  docs && {
    description:
      'A sign-in with a username and a password. If an answer asks for more, send the whole request again with the additional field.',
    example: { username: 'ada', password: examplePassword, otp: exampleCode },
  },
)
export type AuthLoginEndpointRequest = z.output<typeof AuthLoginEndpointRequest>

const maybeText = z.optional(nonEmptyText)

const neverSentDescription =
  docs && 'Known to published clients. This service never sends it: an incomplete sign-in is an error.'

export const AuthLoginEndpointResponse = model(
  {
    user: field(
      ServiceUserDetail,
      docs &&
        'The user who is signed in now. For an access link, the recipient without permissions and groups.',
    ),
    reason: field(maybeText, docs && neverSentDescription),
    detail: field(maybeText, docs && neverSentDescription),
    redirect: field(
      maybeText,
      docs &&
        'The `default_page` of the user, if it is a page of another allowed origin. Send the browser there after the sign-in.',
    ),
    session_key: field(
      nonEmptyText,
      docs &&
        'The session, with the prefix `lks_`. Secret: it can do all that the user may. Send it as `Authorization: Bearer`. Always present. Browsers on the origin of the service also get it as a cookie.',
    ),
  },
  docs && {
    description: 'A new session and its user. Sign-ins and redeemed access links have this response.',
    example: { user: exampleUserDetail, session_key: exampleCredentials.session },
  },
)
export type AuthLoginEndpointResponse = z.output<typeof AuthLoginEndpointResponse>

export const FindSignInRouteRequest = model(
  {
    username: field(
      z.optional(anyText),
      docs && 'A username or an email address. Only the domain of an address counts.',
    ),
    domain: field(z.optional(anyText), docs && { description: 'An email domain.', example: 'example.com' }),
    connection: field(
      z.optional(anyText),
      docs && { description: 'The ID of a SAML provider or an OpenID Connect connection.', example: '2' },
    ),
    proof,
  },
  docs && {
    description: 'Who wants to sign in. The first field that leads to an identity provider counts.',
    example: { username: 'ada@example.com' },
  },
)
export type FindSignInRouteRequest = z.output<typeof FindSignInRouteRequest>

export const FindSignInRouteResponse = model(
  {
    login_url: field(
      z.nullable(nonEmptyText),
      docs && {
        description:
          'The URL that starts the sign-in at an identity provider, without `return_to`. Null for everyone who goes on here, with or without an account.',
        example: 'https://auth.example.com/api/2/auth/saml/2/sso',
      },
    ),
    offers_other_ways: field(
      z.boolean(),
      docs && {
        description:
          'Whether your page offers other ways to sign in, too. True for the identity provider of an organization: its people can be in other organizations, and have a password. False if the browser goes to `login_url` at once.',
        example: false,
      },
    ),
  },
  docs && {
    description: 'Where a sign-in goes on.',
    example: { login_url: 'https://auth.example.com/api/2/auth/saml/2/sso', offers_other_ways: false },
  },
)
export type FindSignInRouteResponse = z.output<typeof FindSignInRouteResponse>

export const RequestEmailCodeRequest = model(
  {
    username: field(
      nonEmptyText,
      docs && 'The username or the verified email address of the user, without regard to case.',
    ),
    proof,
  },
  docs && {
    description: 'The user who wants to sign in with an emailed code.',
    example: { username: 'ada' },
  },
)
export type RequestEmailCodeRequest = z.output<typeof RequestEmailCodeRequest>

export const RequestEmailCodeResponse = model(
  {
    request_id: field(
      nonEmptyText,
      docs &&
        'The secret half of the sign-in: the code works only together with it. Keep it in the browser that asked.',
    ),
    expires: field(
      dateTime,
      docs &&
        `When the code stops working: ISO 8601, UTC, ${describeDuration(emailCodeLifetimeMs)} after the request.`,
    ),
  },
  docs && {
    description:
      'A request for an emailed code. It looks the same with and without an account, so it does not show whether an email was sent.',
    example: { request_id: exampleCodeRequest, expires: exampleTimes.codeEnd },
  },
)
export type RequestEmailCodeResponse = z.output<typeof RequestEmailCodeResponse>

export const EmailCodeLoginRequest = model(
  {
    request_id: field(
      text(64),
      docs && 'The value of `request_id` from the response to the request for the code.',
    ),
    code: field(
      text(64),
      docs &&
        `The code from the email: eight digits. Spaces and hyphens are ignored. After ${emailCodeGuesses} attempts, it no longer works.`,
    ),
    otp: field(z.optional(z.nullable(anyText)), docs && oneTimeCode),
    second_factor_setup: field(z.optional(flag), docs && setupSession),
    remember_device: field(z.optional(flag), docs && rememberDeviceDescription),
    ask_second_factor: field(
      z.optional(flag),
      docs && 'Whether to ask for the second factor in a remembered browser, too. Default: `false`.',
    ),
  },
  docs && {
    description: 'A sign-in with an emailed code. The code replaces the password and nothing else.',
    example: { request_id: exampleCodeRequest, code: exampleEmailCode },
  },
)
export type EmailCodeLoginRequest = z.output<typeof EmailCodeLoginRequest>

/** What proves the identity of a signed-in user. */
export const ReauthenticateRequest = model(
  {
    password: field(
      z.optional(nonEmptyText),
      docs &&
        'The current password of the user. Required, unless a code adds a second factor. A user without one signs in again instead. Wrong ones are limited like wrong passwords at the sign-in.',
    ),
    otp: field(z.optional(z.nullable(anyText)), docs && oneTimeCode),
  },
  docs && {
    description: 'What proves again that the user of a session is present.',
    example: { password: examplePassword, otp: exampleCode },
  },
)
export type ReauthenticateRequest = z.output<typeof ReauthenticateRequest>

const currentCodeDescription = docs && 'The code of six digits that the authenticator app shows now.'

export const EnableTOTPRequest = model(
  {
    key: field(
      nonEmptyText,
      docs &&
        'The key in base32, of 80 to 512 bits. The client generates it at random and shows it as a QR code. Secret: it is stored encrypted and never returned.',
    ),
    otp: field(
      nonEmptyText,
      docs &&
        `${currentCodeDescription} Its clock may be up to ${(totpDriftMaxSteps * 30) / 60} minutes off.`,
    ),
  },
  docs && {
    description:
      'The key of an authenticator app, and a code that proves that it has the key. One-time passwords follow RFC 6238: SHA-1, six digits, 30 seconds.',
    example: { key: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', otp: exampleCode },
  },
)
export type EnableTOTPRequest = z.output<typeof EnableTOTPRequest>

const recoveryCodesDescription =
  docs &&
  `${recoveryCodesPerUser} recovery codes. Each works once instead of a code of the authenticator app. Shown once: the user must store them now.`

/** The real ones have letters and digits at random. */
const exampleCodes =
  docs && Array.from({ length: recoveryCodesPerUser }, (_, at) => `exam-p1e0-c0de-000${at}`)

/** Recovery codes. Each works once instead of a one-time password. No other response contains them. */
export const EnableTOTP = model(
  {
    recovery_codes: field(texts, docs && recoveryCodesDescription),
  },
  docs && {
    description:
      'The recovery codes of a second factor that was just turned on. No other response contains them.',
    example: { recovery_codes: exampleCodes },
  },
)
export type EnableTOTP = z.output<typeof EnableTOTP>

/** New recovery codes. The ones before no longer work. */
export const RecoveryCodes = model(
  {
    recovery_codes: field(texts, docs && recoveryCodesDescription),
  },
  docs && {
    description: 'New recovery codes. The earlier ones no longer work. No other response contains them.',
    example: { recovery_codes: exampleCodes },
  },
)
export type RecoveryCodes = z.output<typeof RecoveryCodes>

export const SyncTOTPRequest = model(
  {
    otp: field(nonEmptyText, docs && `${currentCodeDescription} It is used up.`),
  },
  docs && {
    description: 'A code by which the service measures the clock of an authenticator app.',
    example: { otp: exampleCode },
  },
)
export type SyncTOTPRequest = z.output<typeof SyncTOTPRequest>

/** How many steps of 30 seconds the clock of the authenticator app is ahead of the service. */
export const SyncTOTP = model(
  {
    drift: field(
      integer,
      docs &&
        `How many steps of 30 seconds the clock is ahead of the service: -${totpDriftMaxSteps} to ${totpDriftMaxSteps}. Negative if it is behind.`,
    ),
  },
  docs && {
    description: 'How far the clock of an authenticator app is off. The service allows for it from now on.',
    example: { drift: -1 },
  },
)
export type SyncTOTP = z.output<typeof SyncTOTP>

const deletionMode = z.enum(['off', 'ask', 'after_grace'])

const deletionModeDescription =
  docs &&
  '`off`: they cannot. `ask`: administrators get an email and decide. `after_grace`: the account is deleted after `account_deletion_grace_days`.'

/** The fields of the sign-in policy. */
export const signInPolicyFields = {
  second_factor_for_everybody: field(
    z.optional(flag),
    docs && 'Whether all users need a second factor. Default: `false`.',
    { inEvents: 'value' },
  ),
  second_factor_for_permissions: field(
    z.optional(z.array(text255).check(z.maxLength(50))),
    docs &&
      'Who holds any of these permissions, also through a group, needs a second factor. Administrators hold every permission. At most 50. Default: empty.',
    { inEvents: 'value' },
  ),
  second_factor_for_groups: field(
    z.optional(z.array(id).check(z.maxLength(100))),
    docs && 'Members of groups with these IDs need a second factor. At most 100. Default: empty.',
    { inEvents: 'value' },
  ),
  second_factor_grace_days: field(
    z.optional(integer.check(z.minimum(0), z.maximum(365))),
    docs &&
      'The days that users have to set up a second factor, or a passkey with `passkeys_only`. They count from a change of who needs one, or from the creation of the user. Default: 0.',
    { inEvents: 'value' },
  ),
  passkeys_only: field(
    z.optional(flag),
    docs &&
      "Whether users who have a passkey sign in with nothing else, except through their company's identity provider. Others add a passkey at their next sign-in, at the latest after `second_factor_grace_days`. Default: `false`.",
    { inEvents: 'value' },
  ),
  passkey_upgrades: field(
    z.optional(flag),
    docs &&
      'Whether browsers may add a passkey without a question after a sign-in with a password. The user gets an email about it. Default: `true`.',
    { inEvents: 'value' },
  ),
  password_only_min_length: field(
    z.optional(z.nullable(integer.check(z.minimum(0), z.maximum(128)))),
    docs &&
      'The least number of characters in new passwords of users without a second factor. Null for no requirement beyond the password policy. New services have 15.',
    { inEvents: 'value' },
  ),
  allow_email_codes: field(
    z.optional(flag),
    docs &&
      'Whether users can sign in with a code that is emailed to them instead of their password. Anyone who reads the mailbox can then sign in. Default: `false`.',
    { inEvents: 'value' },
  ),
  remembered_device_days: field(
    z.optional(integer.check(z.minimum(0), z.maximum(rememberedDeviceDaysMax))),
    docs &&
      `For how many days a browser can be remembered after a second factor, so that sign-ins there do without. Never for holders of \`system:admin-access\` or \`users:manage\`. At most ${rememberedDeviceDaysMax}. Default: 0, which remembers none and ends all remembered browsers.`,
    { inEvents: 'value' },
  ),
  account_deletion: field(
    z.optional(deletionMode),
    docs && `Whether users can have their own account deleted. ${deletionModeDescription} Default: \`off\`.`,
    { inEvents: 'value' },
  ),
  account_deletion_grace_days: field(
    z.optional(integer.check(z.minimum(1), z.maximum(90))),
    docs &&
      `The days until an account is deleted. Users can withdraw their request until then. Default: ${deletionGraceDays}.`,
    { inEvents: 'value' },
  ),
}

/** What the service requires of sign-ins. A document replaces the whole policy. */
export const SignInPolicy = model(
  signInPolicyFields,
  docs && {
    description:
      'What the service requires of sign-ins. A request replaces the whole policy: an omitted field requires nothing. It does not apply to SAML sign-ins, API tokens, and access links. Open sessions follow within minutes: see `get_session_review`.',
    example: {
      second_factor_for_everybody: false,
      second_factor_for_permissions: ['system:admin-access', 'users:manage'],
      second_factor_for_groups: [],
      second_factor_grace_days: 14,
      passkeys_only: false,
      passkey_upgrades: true,
      password_only_min_length: 15,
      allow_email_codes: false,
      remembered_device_days: 0,
      account_deletion: 'ask' as const,
      account_deletion_grace_days: 14,
    },
  },
)
export type SignInPolicy = z.output<typeof SignInPolicy>

/** How far the review of open sessions is. */
export const SessionReview = model(
  {
    state: field(
      z.enum(['none', 'waiting', 'running', 'done']),
      docs &&
        '`none`: nobody tightened the rules yet. `waiting`: it begins within two minutes. `running`: some users are done. `done`: the rules hold in all open sessions.',
    ),
    started_at: field(
      z.nullable(dateTime),
      docs && 'When the latest review began: ISO 8601, UTC. Null before the first.',
    ),
    finished_at: field(z.nullable(dateTime), docs && 'When it ended: ISO 8601, UTC. Null until then.'),
    users: field(integer, docs && 'How many users are done.'),
    sessions_ended: field(integer, docs && 'How many sessions it ended.'),
    sessions_changed: field(
      integer,
      docs && 'How many sessions go on under the new rules, such as with an earlier end.',
    ),
  },
  docs && {
    description: 'How far the review of open sessions is, after a change of who needs what to sign in.',
    example: {
      state: 'running' as const,
      started_at: '2026-01-31T12:00:00.000Z',
      finished_at: null,
      users: 1200,
      sessions_ended: 14,
      sessions_changed: 230,
    },
  },
)
export type SessionReview = z.output<typeof SessionReview>

/** What a dialog showed to the user who asks. */
export const AccountDeletionShown = model(
  {
    user: field(id, docs && 'The ID of the user.'),
    mode: field(deletionMode, docs && `What the request leads to. ${deletionModeDescription}`),
    grace_days: field(integer, docs && 'The days until the account is deleted.'),
  },
  docs && {
    description: 'What a dialog showed to a user who has their account deleted.',
    example: { user: exampleIds.user, mode: 'ask' as const, grace_days: 14 },
  },
)

/** A request of a dialog says what the dialog showed. */
export const AccountDeletionRequest = model(
  {
    shown: field(
      z.optional(AccountDeletionShown),
      docs && 'What a dialog showed. If that has changed since, nothing is requested.',
    ),
  },
  docs && { description: 'A request to delete the own account.', example: {} },
)
export type AccountDeletionRequest = z.output<typeof AccountDeletionRequest>

/** Whether the current user can have their account deleted, and their request. */
export const AccountDeletion = model(
  {
    mode: field(deletionMode, docs && `What a request leads to. ${deletionModeDescription}`),
    grace_days: field(
      integer,
      docs && 'The days until the account of a new request is deleted. They count with `after_grace` only.',
    ),
    requested_at: field(
      z.nullable(dateTime),
      docs && 'When the user asked for it: ISO 8601, UTC. Null without a request.',
    ),
    due_at: field(
      z.nullable(dateTime),
      docs &&
        'When the account is deleted: ISO 8601, UTC. Null without a request, or if administrators decide.',
    ),
  },
  docs && {
    description: 'Whether the current user can have their account deleted, and their request.',
    example: {
      mode: 'after_grace' as const,
      grace_days: 14,
      requested_at: '2026-01-31T12:00:00.000Z',
      due_at: '2026-02-14T12:00:00.000Z',
    },
  },
)
export type AccountDeletion = z.output<typeof AccountDeletion>
