import { exampleCode, exampleNewPassword, examplePassword } from '../../accounts/example-values.models.ts'
import { anyone, bySession } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import {
  emailCodeGuesses,
  emailCodeLifetimeMs,
  freeLoginFailures,
  loginBackOffMaxMs,
  secondFactorSetupMs,
} from '../../kernel/limits/limits.ts'
import { defaultRecentAuthenticationSeconds } from '../../kernel/settings/service-settings.ts'
import { describeDuration, second } from '../../kernel/util/time.ts'
import { sessionsEnd } from './end.operations.ts'
import {
  AuthLoginEndpointRequest,
  AuthLoginEndpointResponse,
  EmailCodeLoginRequest,
  FindSignInRouteRequest,
  FindSignInRouteResponse,
  ReauthenticateRequest,
  RequestEmailCodeRequest,
  RequestEmailCodeResponse,
} from './models.ts'

const exampleUsername = docs && 'ada'
const exampleSessionPassword = docs && examplePassword
const recentTimeDescription = docs && describeDuration(defaultRecentAuthenticationSeconds * second)
const codeLifetimeDescription = docs && describeDuration(emailCodeLifetimeMs)
const exampleRequestId = docs && 'ThisIsAnExampleRequestIdOf32Char'

export const sessions = {
  login: defineOperation({
    id: 'login',
    group: 'sessions',
    method: 'POST',
    path: '/api/2/auth/login',
    access: anyone,
    acceptsProduct: true,
    summary: 'Sign in with a password and, if enabled, a one-time password',
    body: AuthLoginEndpointRequest,
    responses: { 200: docs && AuthLoginEndpointResponse },
    errors: [
      'login_failed',
      'login_incomplete',
      'password_rejected',
      'permission_denied',
      'conflict',
      'too_many_requests',
    ],
    audit: [
      'login.succeeded',
      'password.changed',
      'password.taken_over',
      'totp.recovery_code_used',
      'remembered_device.created',
      'remembered_device.reused',
      'login.failed',
      'password.check_failed',
      'hook.failed',
      'hook.bypassed',
    ],
    limits: [
      'accountFailures',
      'addressFailures',
      'otpGuesses',
      'legacyPasswordChecks',
      'legacyPasswordOutages',
      'hookNotices',
      'lockedSignInEmails',
    ],
    text:
      docs &&
      describe(() => ({
        description: `Signs a user in with their password and opens a session. The response has the session as \`session_key\`. Send it as
\`Authorization: Bearer …\` with later requests. The response also sets the session cookie,
unless a page of another site sent the request.

If the password is right but something else is missing, the response is 403 \`login_incomplete\`. Its \`reason\` says what to
do. To add a field, show the user a form for it, and send the whole request again:

- \`otp_required\`, \`otp_invalid\`: add \`otp\`, a code of the authenticator app or a recovery code.
- \`password_change_required\`: add \`new_password\`. The \`password_policy\` of the response says what it must meet.
- \`password_breached\`: the password is in a data breach, and the user is not known at this place. An email has the link to
  choose another one.
- \`passkey_required\`: continue with \`start_passkey_login\` and the \`second_factor_token\` of the response.
- \`second_factor_setup_required\`: add \`second_factor_setup\` with \`true\`. The session then lasts for ${describeDuration(secondFactorSetupMs)} and can only set
  up a second factor.
- \`account_disabled\`: do not try again. The account is disabled or has expired.

A wrong password, an unknown username and a locked account all get the same 401 \`login_failed\`. After ${freeLoginFailures} failures for one
account and address, each further one doubles the wait, up to ${describeDuration(loginBackOffMaxMs)}. A \`new_password\` ends the user's other
sessions and tickets. The user gets an email after a sign-in
from a new device.`,
        parameters: {},
        request: [
          {
            summary: 'With a password',
            value: { username: exampleUsername, password: exampleSessionPassword },
          },
          {
            summary: 'With a password and a code of the authenticator app',
            value: { username: exampleUsername, password: exampleSessionPassword, otp: exampleCode },
          },
          {
            summary: 'With a new password',
            value: {
              username: exampleUsername,
              password: exampleSessionPassword,
              new_password: exampleNewPassword,
            },
          },
          {
            summary: 'For a session that sets up a second factor',
            value: { username: exampleUsername, password: exampleSessionPassword, second_factor_setup: true },
          },
        ],
        responses: { 200: [{ summary: 'A session of a user', value: exampleOf(AuthLoginEndpointResponse) }] },
      })),
  }),
  findSignInRoute: defineOperation({
    id: 'find_sign_in_route',
    group: 'sessions',
    method: 'POST',
    path: '/api/2/auth/sign-in-route',
    access: anyone,
    summary: 'Find the identity provider that an address leads to',
    body: FindSignInRouteRequest,
    responses: { 200: docs && FindSignInRouteResponse },
    errors: ['too_many_requests'],
    limits: ['signInRoutes', 'knownBrowserUses'],
    text:
      docs &&
      describe(() => ({
        description: `Finds where a sign-in page leads a person after it asked for their username or address. If the domain of the address is
proven or vouched for, for an identity provider, the response has the URL that starts the sign-in there. Add \`return_to\` to it, and
send the browser there. If \`offers_other_ways\` is true, let the person choose between it and the other ways to sign in. Providers of
organizations that are suspended or deleted lead nowhere.

Otherwise \`login_url\` is null. It does not depend on accounts, and neither does the duration: see
[company sign-in](/docs/guides/company-sign-in).`,
        parameters: {},
        request: [
          { summary: 'By email address', value: { username: 'ada@example.com' } },
          { summary: 'By domain', value: { domain: 'example.com' } },
        ],
        responses: {
          200: [
            { summary: 'The domain leads to a provider', value: exampleOf(FindSignInRouteResponse) },
            { summary: 'Everyone else', value: { login_url: null, offers_other_ways: true } },
          ],
        },
      })),
  }),
  requestEmailCode: defineOperation({
    id: 'request_email_code',
    group: 'sessions',
    method: 'POST',
    path: '/api/2/auth/email-code',
    access: anyone,
    acceptsProduct: true,
    summary: 'Email a sign-in code if the account exists',
    body: RequestEmailCodeRequest,
    responses: { 200: docs && RequestEmailCodeResponse },
    errors: ['permission_denied', 'too_many_requests'],
    limits: [
      'emailCodesPerAccount',
      'emailCodesPerRequester',
      'emailCodeRequestsPerAddress',
      'mailRequests',
      'knownBrowserUses',
    ],
    text:
      docs &&
      describe(() => ({
        description: `Emails a code of eight digits, with which the user can sign in without a password. The response has a \`request_id\`. Keep
it in the browser that asked: the code works only together with it. Then let the user enter the code, and call
\`login_with_email_code\`.

The code is valid for ${codeLifetimeDescription}. The response is the same whether the account exists or not, and no code is sent if
the user cannot sign in this way. An administrator must allow codes in the sign-in policy, otherwise the response is 403.`,
        parameters: {},
        request: [
          { summary: 'By username', value: { username: exampleUsername } },
          { summary: 'By email address', value: { username: 'ada@example.com' } },
        ],
        responses: {
          200: [
            {
              summary: 'A request for a code',
              value: { request_id: exampleRequestId, expires: '2026-11-20T09:40:00.000Z' },
            },
          ],
        },
      })),
  }),
  loginWithEmailCode: defineOperation({
    id: 'login_with_email_code',
    group: 'sessions',
    method: 'POST',
    path: '/api/2/auth/email-code/login',
    access: anyone,
    acceptsProduct: true,
    summary: 'Sign in with an emailed code',
    body: EmailCodeLoginRequest,
    responses: { 200: docs && AuthLoginEndpointResponse },
    errors: ['login_failed', 'login_incomplete', 'conflict', 'too_many_requests'],
    audit: [
      'login.succeeded',
      'remembered_device.created',
      'remembered_device.reused',
      'login.failed',
      'hook.failed',
      'hook.bypassed',
    ],
    limits: ['otpGuesses', 'lookUpFailures', 'hookNotices'],
    text:
      docs &&
      describe(() => ({
        description: `Signs a user in with the code from the email and opens a session, like \`login\`. If the user has an authenticator app,
the response is 403 with the reason \`otp_required\`. Then send the same request again with \`otp\`.

A code opens one session. It ends after ${codeLifetimeDescription} or ${emailCodeGuesses} wrong guesses. After that, request a new one.`,
        parameters: {},
        request: [
          { summary: 'With a code', value: { request_id: exampleRequestId, code: '4829 1736' } },
          {
            summary: 'With a code and a code of the authenticator app',
            value: { request_id: exampleRequestId, code: '4829 1736', otp: exampleCode },
          },
        ],
        responses: { 200: [{ summary: 'A session of a user', value: exampleOf(AuthLoginEndpointResponse) }] },
      })),
  }),
  confirmIdentity: defineOperation({
    id: 'confirm_identity',
    group: 'sessions',
    method: 'POST',
    path: '/api/2/auth/reauthenticate',
    access: bySession,
    summary: "Confirm the current user's identity with their password",
    body: ReauthenticateRequest,
    responses: { 204: null },
    errors: ['login_incomplete', 'too_many_requests', 'conflict'],
    notWhileImpersonating: true,
    audit: ['session.reauthenticated', 'totp.recovery_code_used', 'password.refused', 'totp.refused'],
    limits: ['otpGuesses', 'passwordConfirmations'],
    text:
      docs &&
      describe(() => ({
        description: `Confirms that the user of the session is still the same person. Call it when another operation answered 403 with the
reason \`reauthentication_required\`, then repeat that operation. The proof lasts for ${recentTimeDescription}, unless the service has
another setting.

A wrong password is a 400, and a missing or wrong code is a 403 \`login_incomplete\`. The password proves no more than at \`login\`.
Other reasons of \`login_incomplete\` say what is missing:

- \`passkey_required\`: use \`reauthenticate_with_passkey\` instead.
- \`sso_required\`: sign in again with the provider in \`saml_provider\`.
- \`password_change_required\`: change the password with \`change_own_password\` first.
- \`password_breached\`: the password is in a data breach, and an email has the link to choose another one.
- \`second_factor_setup_required\`: sign in again, and set up what the sign-in policy requires.

A user without a password signs in again with their identity provider:
see \`force_authn\` of \`start_saml_auth\`.

A code alone adds the second factor to a session that began without it, such as by a company connection. Its sign-in then counts as
one with two factors. This does not confirm the identity for changes of credentials.`,
        parameters: {},
        request: [
          { summary: 'With a password', value: { password: exampleSessionPassword } },
          {
            summary: 'With a password and a code of the authenticator app',
            value: { password: exampleSessionPassword, otp: exampleCode },
          },
        ],
      })),
  }),
  ...sessionsEnd,
}
