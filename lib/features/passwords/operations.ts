import {
  exampleCode,
  exampleCredentials,
  exampleNewPassword,
  examplePassword,
} from '../../accounts/example-values.models.ts'
import {
  anyone,
  authenticatedOrResetting,
  bySession,
  withPermissionBySession,
} from '../../kernel/contract/access.ts'
import { describe } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { resetTokenLifetimeMs, securityReportLifetimeMs } from '../../kernel/limits/limits.ts'
import { generatedLength } from '../../kernel/limits/password-limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { SecurityReportRequest, SecurityReportResult } from '../leaked-credentials/models.ts'
import {
  ChangeOwnPasswordRequest,
  ChangePasswordRequest,
  EvaluatePasswordEndpointRequest,
  EvaluatePasswordEndpointResponse,
  GeneratePasswordEndpointResponse,
  PasswordResetEndpointRequest,
  RequestPasswordResetRequest,
} from './models.ts'
import { passwordsPolicies } from './policies.operations.ts'

const examplePasswordPolicy = docs && {
  min_length: 14,
  no_pwned: true,
  rules: [{ group_name: 'a digit', group_regex: '[0-9]', min_count: 1 }],
}

export const passwords = {
  generatePassword: defineOperation({
    id: 'generate_password',
    group: 'passwords',
    method: 'POST',
    path: '/api/2/auth/generate-password',
    access: authenticatedOrResetting,
    summary: 'Generate a password that meets the password policy',
    responses: { 200: docs && GeneratePasswordEndpointResponse },
    errors: ['conflict', 'too_many_requests'],
    limits: ['passwordToolUses'],
    text:
      docs &&
      describe(() => ({
        description: `Generates a random password of at least ${generatedLength} characters that meets the password policy. It is not set or stored. If no password can meet the policy, the
response is 409.`,
        parameters: {},
        responses: { 200: [{ summary: 'A password', value: { password: 'yPnc74-GQd2rVw8sKzTh' } }] },
      })),
  }),
  evaluatePassword: defineOperation({
    id: 'evaluate_password',
    group: 'passwords',
    method: 'POST',
    path: '/api/2/auth/evaluate-password',
    access: authenticatedOrResetting,
    summary: 'Check a password against a policy and estimate its strength',
    body: EvaluatePasswordEndpointRequest,
    responses: { 200: docs && EvaluatePasswordEndpointResponse },
    errors: ['too_many_requests'],
    limits: ['passwordToolUses'],
    text:
      docs &&
      describe(() => ({
        description: `Checks a password as \`change_own_password\` would, without setting it. \`errors\` lists the rules that it does not meet, as
sentences for the user. It is empty for a good password. \`time_to_crack\` estimates the seconds that an attacker with
the stored hash needs.

With \`custom_policy\`, the password is checked against this policy alone, so that administrators can try a policy before
they set it. The password is not stored.`,
        parameters: {},
        request: [
          { summary: 'With the policy of the service', value: { password: 'summer2026' } },
          {
            summary: 'With another policy',
            value: { password: 'summer2026', custom_policy: examplePasswordPolicy },
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
                policy: examplePasswordPolicy,
              },
            },
            { summary: 'A good password', value: { errors: [], time_to_crack: 5_200_000_000_000 } },
          ],
        },
      })),
  }),
  requestPasswordReset: defineOperation({
    id: 'request_password_reset',
    group: 'passwords',
    method: 'POST',
    path: '/api/2/auth/reset-password/request',
    access: anyone,
    acceptsProduct: true,
    summary: 'Email a password reset link if the account exists',
    body: RequestPasswordResetRequest,
    responses: { 204: null },
    errors: ['too_many_requests'],
    limits: [
      'resetRequestsPerAccount',
      'resetRequestsPerRequester',
      'resetRequestsPerAddress',
      'mailRequests',
      'knownBrowserUses',
    ],
    text:
      docs &&
      describe(() => ({
        description: `Emails a link with which the user can choose a new password. Send either the username or the email address. The link
opens the page \`/reset\` of the service. It works once, for ${describeDuration(resetTokenLifetimeMs)}, and a newer link ends it.

The response is always 204 and does not show whether the account exists. Only an enabled user with a verified email
address, who may choose a password, gets the email. Above a limit of the account, no
email is sent.`,
        parameters: {},
        request: [
          { summary: 'By username', value: { username: 'ada' } },
          { summary: 'By email address', value: { email: 'ada@example.com' } },
        ],
      })),
  }),
  resetPassword: defineOperation({
    id: 'reset_password',
    group: 'passwords',
    method: 'POST',
    path: '/api/2/auth/reset-password',
    access: anyone,
    acceptsProduct: true,
    summary: 'Set a new password with a reset token',
    body: PasswordResetEndpointRequest,
    responses: { 204: null },
    errors: ['invalid_token', 'password_rejected', 'permission_denied', 'conflict', 'too_many_requests'],
    audit: ['api_token.deleted', 'password.reset', 'password.reset_refused'],
    limits: ['lookUpFailures'],
    text:
      docs &&
      describe(() => ({
        description: `Sets a new password with the token from the email. All sessions, tickets and reset links of the user end. Then let the
user sign in: this operation opens no session, and a second factor stays on. With \`end_api_tokens\`, all API tokens of the
user end too.

A rejected password does not use up the token, so the user can choose another one. An unknown, used or expired token is a
400 \`invalid_token\`. The user gets an email about the reset.`,
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
      })),
  }),
  reportChange: defineOperation({
    id: 'report_change',
    group: 'passwords',
    method: 'POST',
    path: '/api/2/auth/security-report',
    access: anyone,
    summary: 'Undo the changes of an attacker with the link of a security email',
    body: SecurityReportRequest,
    responses: { 200: docs && SecurityReportResult },
    errors: ['invalid_token', 'conflict', 'too_many_requests'],
    localChange: 'ends_access',
    audit: [
      'security.reported',
      'user.renamed',
      'api_token.deleted',
      'totp.disabled',
      'passkey.removed',
      'user.changed',
      'user.deletion_withdrawn',
      'company_account.unlinked',
      'organization.api_token_deleted',
      'organization.invitation_revoked',
      'saml_setup.link_revoked',
      'scim.token_deleted',
    ],
    limits: ['lookUpFailures'],
    text:
      docs &&
      describe(() => ({
        description: `Undoes what an attacker did to an account. Users get an email about each important change, such as a new API token.
The token is in the link "This wasn't me" of this email. It works for ${describeDuration(securityReportLifetimeMs)} and needs no session.

All sessions, tickets and reset links of the user end. API tokens, passkeys, second factors and linked accounts that were
added since the change are removed. So are API tokens of organizations that the user created since, and open invitations and
set-up links that they sent since. A changed email address is restored. A password that was changed since then, or
that the attacker must know, stops working. The user then gets a reset link at the address that received the email. The response
shows which of these happened. Repeating the request changes nothing more.`,
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
      })),
  }),
  ...passwordsPolicies,
  changeOwnPassword: defineOperation({
    id: 'change_own_password',
    group: 'passwords',
    method: 'POST',
    path: '/api/2/users/me/password',
    access: bySession,
    summary: "Change the current user's password",
    body: ChangeOwnPasswordRequest,
    responses: { 204: null },
    errors: ['login_incomplete', 'password_rejected', 'too_many_requests', 'conflict'],
    notWhileImpersonating: true,
    audit: ['password.changed', 'totp.recovery_code_used', 'password.refused', 'totp.refused'],
    limits: ['otpGuesses', 'passwordConfirmations'],
    text:
      docs &&
      describe(() => ({
        description: `Changes the password of the current user, who proves their identity with the current one. If they have an authenticator
app, also send \`current_otp\`: without it, the response is 403 \`login_incomplete\` with the reason \`otp_required\`. If a sign-in with this password also takes
a passkey or the provider of a company, prove that in the session first: otherwise the response is 403 with the reason
\`reauthentication_required\`. A breached password is replaced where the user signed in before, or with the link in an email.

All other sessions of the user end, with their tickets. The session of this request continues. A wrong current password
is a 400, and a new password that does not meet the policy is a 400 \`password_rejected\`. The user gets an email about the change.`,
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
      })),
  }),
  setUserPassword: defineOperation({
    id: 'set_user_password',
    group: 'passwords',
    method: 'POST',
    path: '/api/2/users/{id}/password',
    access: withPermissionBySession('users:manage'),
    summary: 'Set the password of a user',
    body: ChangePasswordRequest,
    responses: { 204: null },
    errors: ['not_found', 'password_rejected', 'conflict', 'permission_denied'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: [
      'api_token.deleted',
      'password.set',
      'user.started_anew',
      'company_account.unlinked',
      'passkey.removed',
    ],
    decidesSignIn: 'caller',
    text:
      docs &&
      describe(() => ({
        description: `Sets the password of another user, such as for a new user who gets no email. All sessions, tickets and reset links of the
user end. With \`password_change_required\`, the user must choose another password at the next sign-in. That is advisable,
because the caller knows this one.

The password must meet the policy. The second factor of the user stays on. The user gets an email about it. For your own password, use \`change_own_password\`.`,
        parameters: { id: { description: 'The ID of the user.', example: 7 } },
        request: [
          {
            summary: 'A first password, which the user must replace',
            value: { password: exampleNewPassword, password_change_required: true },
          },
        ],
      })),
  }),
}
