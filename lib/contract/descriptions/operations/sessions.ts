import {
  emailCodeGuesses,
  emailCodeLifetimeMs,
  freeLoginFailures,
  loginBackOffMaxMs,
  secondFactorSetupMs,
  sessionsPerList,
} from '../../../limits/limits.ts'
import { defaultRecentAuthenticationSeconds } from '../../../settings/service-settings.ts'
import { describeDuration } from '../../../util/describe-duration.ts'
import { second } from '../../../util/durations.ts'
import { AuthLoginEndpointResponse } from '../../models/login.ts'
import { Session } from '../../models/sessions.ts'
import type { sessions } from '../../operations/sessions.ts'
import type { OperationTexts } from '../describe.ts'
import { describeRateLimit } from '../describe-rate-limit.ts'
import { exampleOf } from '../example-of.ts'
import { exampleCode, exampleIds, exampleNewPassword, examplePassword } from '../example-values.ts'

const username = 'ada'
const password = examplePassword
const recentTime = describeDuration(defaultRecentAuthenticationSeconds * second)
const codeLifetime = describeDuration(emailCodeLifetimeMs)
const requestId = 'ThisIsAnExampleRequestIdOf32Char'

export const sessionsTexts: OperationTexts<typeof sessions> = {
  login: {
    description: `Signs a user in with their password and opens a session. The response has the session as \`session_key\`. Send it as
\`Authorization: Bearer …\` with later requests. The response also sets the session cookie,
unless a page of another site sent the request.

If the password is right but something else is missing, the response is 403 \`login_incomplete\`. Its \`reason\` says what to
do. To add a field, show the user a form for it, and send the whole request again:

- \`otp_required\`, \`otp_invalid\`: add \`otp\`, a code of the authenticator app or a recovery code.
- \`password_change_required\`: add \`new_password\`.
- \`passkey_required\`: continue with \`start_passkey_login\` and the \`second_factor_token\` of the response.
- \`second_factor_setup_required\`: add \`second_factor_setup\` with \`true\`. The session then lasts for ${describeDuration(secondFactorSetupMs)} and can only set
  up a second factor.
- \`account_disabled\`: do not try again. The account is disabled or has expired.

A wrong password, an unknown username and a locked account all get the same 401 \`login_failed\`. After ${freeLoginFailures} failures for one
account and address, each further one doubles the wait, up to ${describeDuration(loginBackOffMaxMs)}. A \`new_password\` ends the user's other
sessions and tickets. The audit events are \`login.succeeded\` and \`login.failed\`. The user gets an email after a sign-in
from a new device.`,
    parameters: {},
    request: [
      { summary: 'With a password', value: { username, password } },
      {
        summary: 'With a password and a code of the authenticator app',
        value: { username, password, otp: exampleCode },
      },
      {
        summary: 'With a new password',
        value: { username, password, new_password: exampleNewPassword },
      },
      {
        summary: 'For a session that sets up a second factor',
        value: { username, password, second_factor_setup: true },
      },
    ],
    responses: { 200: [{ summary: 'A session of a user', value: exampleOf(AuthLoginEndpointResponse) }] },
  },
  requestEmailCode: {
    description: `Emails a code of eight digits, with which the user can sign in without a password. The response has a \`request_id\`. Keep
it in the browser that asked: the code works only together with it. Then let the user enter the code, and call
\`login_with_email_code\`.

The code is valid for ${codeLifetime}. The response is the same whether the account exists or not, and no code is sent if
the user cannot sign in this way. An administrator must allow codes in the sign-in policy, otherwise the response is 403.
Limits: ${describeRateLimit('emailCodesPerRequester')} per account and requester, ${describeRateLimit('emailCodesPerAccount')} per account
from unknown networks, and ${describeRateLimit('emailCodeRequestsPerAddress')} per address.`,
    parameters: {},
    request: [
      { summary: 'By username', value: { username } },
      { summary: 'By email address', value: { username: 'ada@example.com' } },
    ],
    responses: {
      200: [
        {
          summary: 'A request for a code',
          value: { request_id: requestId, expires: '2026-11-20T09:40:00.000Z' },
        },
      ],
    },
  },
  loginWithEmailCode: {
    description: `Signs a user in with the code from the email and opens a session, like \`login\`. If the user has an authenticator app,
the response is 403 with the reason \`otp_required\`. Then send the same request again with \`otp\`.

A code opens one session. It ends after ${codeLifetime} or ${emailCodeGuesses} wrong guesses. After that, request a new one. The audit
events are \`login.succeeded\` and \`login.failed\`.`,
    parameters: {},
    request: [
      { summary: 'With a code', value: { request_id: requestId, code: '4829 1736' } },
      {
        summary: 'With a code and a code of the authenticator app',
        value: { request_id: requestId, code: '4829 1736', otp: exampleCode },
      },
    ],
    responses: { 200: [{ summary: 'A session of a user', value: exampleOf(AuthLoginEndpointResponse) }] },
  },
  confirmIdentity: {
    description: `Confirms that the user of the session is still the same person. Call it when another operation answered 403 with the
reason \`reauthentication_required\`, then repeat that operation. The proof lasts for ${recentTime}, unless the service has
another setting.

A wrong password is a 400, and a missing or wrong code is a 403 \`login_incomplete\`. A user whose password requires a
passkey uses \`reauthenticate_with_passkey\` instead. A user without a password signs in again with their identity provider:
see \`force_authn\` of \`start_saml_auth\`. Attempts are limited to ${describeRateLimit('passwordConfirmations')}. The audit
event is \`session.reauthenticated\`.`,
    parameters: {},
    request: [
      { summary: 'With a password', value: { password } },
      {
        summary: 'With a password and a code of the authenticator app',
        value: { password, otp: exampleCode },
      },
    ],
  },
  logout: {
    description: `Ends the session of the request, with its tickets and its impersonation. The session cookie is deleted. Without a valid
session the response is the same, so it is safe to repeat. An API token stays valid: delete it with
\`delete_api_token\`. The audit event is \`logout.succeeded\`.`,
    parameters: {},
  },
  logoutPage: {
    description: `Does the same as \`logout\`, for a link on a page. A browser, whose \`Accept\` header contains \`text/html\`, is redirected to the
sign-in page with 303. Other clients get 204. With the session cookie, the link must be on a page of the service
or of an allowed origin.`,
    parameters: {},
  },
  getOwnSessions: {
    description: `Lists the active sessions of the caller, so that they can recognize and end those that they do not know. \`is_current\`
marks the session of this request. At most ${sessionsPerList.toLocaleString('en-US')} sessions are listed: the current one and the newest others. A
session that an access link opened sees only itself.`,
    parameters: {},
    responses: { 200: [{ summary: 'The session of the request', value: [exampleOf(Session)] }] },
  },
  endOwnSession: {
    description: `Ends one session of the caller at once, with its tickets. Ending the current session signs the caller out and deletes the
cookie. Sessions of other users get a 404. API tokens of administrators and of managers of users cannot do this. The audit event is
\`session.ended\`.`,
    parameters: {
      id: { description: 'The ID of the session, from `get_own_sessions`.', example: exampleIds.session },
    },
  },
}
