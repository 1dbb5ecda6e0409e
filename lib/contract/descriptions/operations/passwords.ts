import { resetTokenLifetimeMs, securityReportLifetimeMs } from '../../../limits/limits.ts'
import { generatedLength, passwordMaxLength, passwordMinLength } from '../../../limits/password-limits.ts'
import { describeDuration } from '../../../util/describe-duration.ts'
import { PasswordPolicy } from '../../models/password-policy.ts'
import { SignInPolicy } from '../../models/sign-in-policy.ts'
import type { passwords } from '../../operations/passwords.ts'
import type { OperationTexts } from '../describe.ts'
import { describeRateLimit } from '../describe-rate-limit.ts'
import { exampleOf } from '../example-of.ts'
import { exampleCode, exampleCredentials, exampleNewPassword, examplePassword } from '../example-values.ts'

const passwordPolicy = {
  min_length: 14,
  no_pwned: true,
  rules: [{ group_name: 'a digit', group_regex: '[0-9]', min_count: 1 }],
}

const signInPolicy = {
  second_factor_for_permissions: ['system:admin-access'],
  second_factor_grace_days: 14,
  password_only_min_length: 15,
}

const lengthRule = `A password has ${passwordMinLength} to ${passwordMaxLength.toLocaleString('en-US')} characters`

export const passwordsTexts: OperationTexts<typeof passwords> = {
  generatePassword: {
    description: `Generates a random password of at least ${generatedLength} characters that meets the password policy. It is not set or stored. The
limit is ${describeRateLimit('passwordToolUses')} per user, for this and \`evaluate_password\` together. If no password can meet the policy, the
response is 409.`,
    parameters: {},
    responses: { 200: [{ summary: 'A password', value: { password: 'yPnc74-GQd2rVw8sKzTh' } }] },
  },
  evaluatePassword: {
    description: `Checks a password as \`change_own_password\` would, without setting it. \`errors\` lists the rules that it does not meet, as
sentences for the user. It is empty for a good password. \`time_to_crack\` estimates the seconds that an attacker with
the stored hash needs.

With \`custom_policy\`, the password is checked against this policy alone, so that administrators can try a policy before
they set it. The password is not stored. The limit is ${describeRateLimit('passwordToolUses')} per user.`,
    parameters: {},
    request: [
      { summary: 'With the policy of the service', value: { password: 'summer2026' } },
      {
        summary: 'With another policy',
        value: { password: 'summer2026', custom_policy: passwordPolicy },
      },
    ],
    responses: {
      200: [
        {
          summary: 'A password that is too short',
          value: {
            errors: ['The password must have at least 15 characters.'],
            time_to_crack: 0.0004,
            username: 'ada',
            policy: passwordPolicy,
          },
        },
        { summary: 'A good password', value: { errors: [], time_to_crack: 5_200_000_000_000 } },
      ],
    },
  },
  requestPasswordReset: {
    description: `Emails a link with which the user can choose a new password. Send either the username or the email address. The link
opens the page \`/reset\` of the service. It works once, for ${describeDuration(resetTokenLifetimeMs)}, and a newer link ends it.

The response is always 204 and does not show whether the account exists. Only an enabled user with a verified email
address, who may choose a password, gets the email. Limits: ${describeRateLimit('resetRequestsPerRequester')} per account and requester, and
${describeRateLimit('resetRequestsPerAccount')} per account from unknown networks. Above them, no email is sent. The third limit
is ${describeRateLimit('resetRequestsPerAddress')} per address of the caller.`,
    parameters: {},
    request: [
      { summary: 'By username', value: { username: 'ada' } },
      { summary: 'By email address', value: { email: 'ada@example.com' } },
    ],
  },
  resetPassword: {
    description: `Sets a new password with the token from the email. All sessions, tickets and reset links of the user end. Then let the
user sign in: this operation opens no session, and a second factor stays on. With \`end_api_tokens\`, all API tokens of the
user end too.

A rejected password does not use up the token, so the user can choose another one. An unknown, used or expired token is a
400 \`invalid_token\`. The user gets an email about the reset. The audit event is \`password.reset\`.`,
    parameters: {},
    request: [
      {
        summary: 'A new password',
        value: { token: exampleCredentials.resetToken, password: exampleNewPassword },
      },
      {
        summary: 'A new password, and an end to all API tokens',
        value: {
          token: exampleCredentials.resetToken,
          password: exampleNewPassword,
          end_api_tokens: true,
        },
      },
    ],
  },
  reportChange: {
    description: `Undoes what an attacker did to an account. Users get an email about each important change, such as a new API token.
The token is in the link "This wasn't me" of this email. It works for ${describeDuration(securityReportLifetimeMs)} and needs no session.

All sessions, tickets and reset links of the user end. API tokens, passkeys, second factors and linked accounts that were
added since the change are removed. A changed email address is restored. A password that was changed since then, or
that the attacker must know, stops working. The user then gets a reset link at the address that received the email. The response
shows which of these happened. Repeating the request changes nothing more. The audit event is \`security.reported\`.`,
    parameters: {},
    request: [{ summary: 'A report', value: { token: exampleCredentials.securityReport } }],
    responses: {
      200: [
        {
          summary: 'The password was changed, and a reset link was sent',
          value: { email_restored: false, password_invalidated: true, reset_email_sent: true },
        },
      ],
    },
  },
  getPasswordPolicy: {
    description: `Gets the rules for new passwords. It needs no credential, so that a page can show the rules before the user signs in. To
check a password against all rules, which also depend on the user, call \`evaluate_password\`.`,
    parameters: {},
    responses: { 200: [{ summary: 'A policy', value: exampleOf(PasswordPolicy) }] },
  },
  updatePasswordPolicy: {
    description: `Replaces the rules for new passwords. A field that you leave out requires nothing. Existing passwords keep working.
Expressions use the RE2 syntax and match anywhere in the password. ${lengthRule} under
every policy.

A policy that no generated password can meet is a 400, because it would lock users out. The audit event is
\`password_policy.changed\`.`,
    parameters: {},
    request: [{ summary: '14 characters and a digit', value: passwordPolicy }],
    responses: {
      200: [{ summary: 'The new policy', value: { ...passwordPolicy, min_entropy_bits: null, regex: null } }],
    },
  },
  getSignInPolicy: {
    description: `Gets what the service requires of sign-ins. The policy says who needs a second factor and from when. It also says how long a
password must be without one, and whether users may sign in with emailed codes.`,
    parameters: {},
    responses: { 200: [{ summary: 'A policy', value: exampleOf(SignInPolicy) }] },
  },
  updateSignInPolicy: {
    description: `Replaces what the service requires of sign-ins. A field that you leave out requires nothing. If it changes who needs a
second factor, the grace period starts again for all users. Existing sessions are not affected: end them if the
requirement must hold at once. The audit event is \`sign_in_policy.changed\`.`,
    parameters: {},
    request: [
      {
        summary: 'A second factor for administrators within two weeks, and 15 characters without one',
        value: signInPolicy,
      },
      { summary: 'Sign-in with emailed codes', value: { allow_email_codes: true } },
    ],
    responses: { 200: [{ summary: 'The new policy', value: exampleOf(SignInPolicy) }] },
  },
  changeOwnPassword: {
    description: `Changes the password of the current user, who proves their identity with the current one. If they have an authenticator
app, also send \`current_otp\`: without it, the response is 403 \`login_incomplete\` with the reason \`otp_required\`.

All other sessions of the user end, with their tickets. The session of this request continues. A wrong current password
is a 400, and a new password that does not meet the policy is a 400 \`password_rejected\`. Attempts are limited to
${describeRateLimit('passwordConfirmations')}. The user gets an email about the change. The audit event is \`password.changed\`.`,
    parameters: {},
    request: [
      {
        summary: 'A new password',
        value: { current_password: examplePassword, password: exampleNewPassword },
      },
      {
        summary: 'With a code of the authenticator app',
        value: {
          current_password: examplePassword,
          password: exampleNewPassword,
          current_otp: exampleCode,
        },
      },
    ],
  },
  setUserPassword: {
    description: `Sets the password of another user, such as for a new user who gets no email. All sessions, tickets and reset links of the
user end. With \`password_change_required\`, the user must choose another password at the next sign-in. That is advisable,
because the caller knows this one.

The password must meet the policy. The second factor of the user stays on. The user gets an email about it. The audit
event is \`password.set\`. For your own password, use \`change_own_password\`.`,
    parameters: { id: { description: 'The ID of the user.', example: 7 } },
    request: [
      {
        summary: 'A first password, which the user must replace',
        value: { password: exampleNewPassword, password_change_required: true },
      },
    ],
  },
}
