import * as z from 'zod/mini'
import {
  emailCodeGuesses,
  emailCodeLifetimeMs,
  freeLoginFailures,
  loginBackOffMaxMs,
  secondFactorSetupMs,
  sessionsPerList,
} from '../../limits/limits.ts'
import { defaultRecentAuthenticationSeconds } from '../../settings/service-settings.ts'
import { describeDuration } from '../../util/describe-duration.ts'
import { second } from '../../util/durations.ts'
import { anyone, anyoneOrKnown, bySession, withScope } from '../access.ts'
import { describe, exampleOf } from '../describe.ts'
import { describeRateLimit } from '../descriptions/common-texts.ts'
import {
  exampleCode,
  exampleIds,
  exampleNewPassword,
  examplePassword,
} from '../descriptions/example-values.ts'
import { Session } from '../models/sessions.ts'
import {
  AuthLoginEndpointRequest,
  AuthLoginEndpointResponse,
  EmailCodeLoginRequest,
  ReauthenticateRequest,
  RequestEmailCodeRequest,
  RequestEmailCodeResponse,
} from '../models/sign-in.ts'
import { defineOperation } from '../operation.ts'
import { ordering, paging } from '../query.ts'

const exampleUsername = 'ada'
const exampleSessionPassword = examplePassword
const recentTimeDescription = describeDuration(defaultRecentAuthenticationSeconds * second)
const codeLifetimeDescription = describeDuration(emailCodeLifetimeMs)
const exampleRequestId = 'ThisIsAnExampleRequestIdOf32Char'

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
    responses: { 200: AuthLoginEndpointResponse },
    errors: [
      'login_failed',
      'login_incomplete',
      'password_rejected',
      'permission_denied',
      'conflict',
      'too_many_requests',
    ],
    text: describe(() => ({
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
  requestEmailCode: defineOperation({
    id: 'request_email_code',
    group: 'sessions',
    method: 'POST',
    path: '/api/2/auth/email-code',
    access: anyone,
    acceptsProduct: true,
    summary: 'Email a sign-in code if the account exists',
    body: RequestEmailCodeRequest,
    responses: { 200: RequestEmailCodeResponse },
    errors: ['permission_denied', 'too_many_requests'],
    text: describe(() => ({
      description: `Emails a code of eight digits, with which the user can sign in without a password. The response has a \`request_id\`. Keep
it in the browser that asked: the code works only together with it. Then let the user enter the code, and call
\`login_with_email_code\`.

The code is valid for ${codeLifetimeDescription}. The response is the same whether the account exists or not, and no code is sent if
the user cannot sign in this way. An administrator must allow codes in the sign-in policy, otherwise the response is 403.
Limits: ${describeRateLimit('emailCodesPerRequester')} per account and requester, ${describeRateLimit('emailCodesPerAccount')} per account
from unknown networks, and ${describeRateLimit('emailCodeRequestsPerAddress')} per address.`,
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
    responses: { 200: AuthLoginEndpointResponse },
    errors: ['login_failed', 'login_incomplete', 'conflict', 'too_many_requests'],
    text: describe(() => ({
      description: `Signs a user in with the code from the email and opens a session, like \`login\`. If the user has an authenticator app,
the response is 403 with the reason \`otp_required\`. Then send the same request again with \`otp\`.

A code opens one session. It ends after ${codeLifetimeDescription} or ${emailCodeGuesses} wrong guesses. After that, request a new one. The audit
events are \`login.succeeded\` and \`login.failed\`.`,
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
    text: describe(() => ({
      description: `Confirms that the user of the session is still the same person. Call it when another operation answered 403 with the
reason \`reauthentication_required\`, then repeat that operation. The proof lasts for ${recentTimeDescription}, unless the service has
another setting.

A wrong password is a 400, and a missing or wrong code is a 403 \`login_incomplete\`. A user whose password requires a
passkey uses \`reauthenticate_with_passkey\` instead. A user without a password signs in again with their identity provider:
see \`force_authn\` of \`start_saml_auth\`. Attempts are limited to ${describeRateLimit('passwordConfirmations')}. The audit
event is \`session.reauthenticated\`.`,
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
  logout: defineOperation({
    id: 'logout',
    group: 'sessions',
    method: 'POST',
    path: '/api/2/auth/logout',
    access: anyoneOrKnown,
    summary: 'Sign out: end the current session, if any',
    responses: { 204: null },
    endsSession: 'session',
    allowsSetupSession: true,
    text: describe(() => ({
      description: `Ends the session of the request, with its tickets and its impersonation. The session cookie is deleted. Without a valid
session the response is the same, so it is safe to repeat. An API token stays valid: delete it with
\`delete_api_token\`. The audit event is \`logout.succeeded\`.`,
      parameters: {},
    })),
  }),
  logoutPage: defineOperation({
    id: 'logout_page',
    group: 'sessions',
    method: 'GET',
    path: '/api/2/auth/logout',
    access: anyoneOrKnown,
    summary: 'Sign out by a link: end the current session and redirect to the sign-in page',
    responses: { 204: null, 303: null },
    changesState: true,
    endsSession: 'session',
    allowsSetupSession: true,
    text: describe(() => ({
      description: `Does the same as \`logout\`, for a link on a page. A browser, whose \`Accept\` header contains \`text/html\`, is redirected to the
sign-in page with 303. Other clients get 204. With the session cookie, the link must be on a page of the service
or of an allowed origin.`,
      parameters: {},
    })),
  }),
  getOwnSessions: defineOperation({
    id: 'get_own_sessions',
    group: 'sessions',
    method: 'GET',
    path: '/api/2/auth/sessions',
    access: withScope('sessions:view'),
    summary: "List the caller's sessions",
    query: z.strictObject({ ...paging, ordering: ordering(['id', 'created_at']) }),
    responses: { 200: z.array(Session) },
    text: describe(() => ({
      description: `Lists the active sessions of the caller, so that they can recognize and end those that they do not know. \`is_current\`
marks the session of this request. At most ${sessionsPerList.toLocaleString('en-US')} sessions are listed: the current one and the newest others. A
session that an access link opened sees only itself.`,
      parameters: {},
      responses: { 200: [{ summary: 'The session of the request', value: [exampleOf(Session)] }] },
    })),
  }),
  endOwnSession: defineOperation({
    id: 'end_own_session',
    group: 'sessions',
    method: 'DELETE',
    path: '/api/2/auth/sessions/{id}',
    access: withScope('sessions:manage'),
    summary: "End one of the caller's sessions",
    responses: { 204: null },
    errors: ['not_found'],
    text: describe(() => ({
      description: `Ends one session of the caller at once, with its tickets. Ending the current session signs the caller out and deletes the
cookie. Sessions of other users get a 404. API tokens of administrators and of managers of users cannot do this. The audit event is
\`session.ended\`.`,
      parameters: {
        id: { description: 'The ID of the session, from `get_own_sessions`.', example: exampleIds.session },
      },
    })),
  }),
}
