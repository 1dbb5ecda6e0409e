import * as z from 'zod/mini'
import { exampleCode } from '../../../accounts/example-values.models.ts'
import { bySession } from '../../../kernel/contract/access.ts'
import { describe } from '../../../kernel/contract/describe.ts'
import { userIdDescription } from '../../../kernel/contract/descriptions/common-texts.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import { queryText } from '../../../kernel/contract/query.ts'
import { recoveryCodesPerUser } from '../../../kernel/limits/limits.ts'
import {
  EnableTOTP,
  EnableTOTPRequest,
  RecoveryCodes,
  SyncTOTP,
  SyncTOTPRequest,
} from '../../sign-in/models.ts'

const ownIdDescription =
  docs &&
  ({
    description: 'The ID of the current user. The ID of another user is a 404.',
    example: 7,
  } as const)

const exampleRecoveryCodes = docs && {
  recovery_codes: Array.from({ length: recoveryCodesPerUser }, (_, at) => `exam-p1e0-0000-000${at}`),
}

export const usersTotp = {
  enableTotp: defineOperation({
    id: 'enable_totp',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/{id}/totp',
    access: bySession,
    summary: 'Turn on one-time passwords for the current user',
    body: EnableTOTPRequest,
    responses: { 200: docs && EnableTOTP },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    allowsSetupSession: 'without_passkey',
    audit: ['totp.enabled'],
    text:
      docs &&
      describe(() => ({
        description: `Turns on one-time passwords (TOTP, RFC 6238) as the second factor of the current user. First generate a random key, and
show it to the authenticator app, usually as a QR code. Then send the key with a code that it shows.

The response has ${recoveryCodesPerUser} recovery codes. Each works once instead of a code. Show them to the user: no later response
contains them. All other sessions of the user end. If a second factor is already on, the response is 409. The user gets an
email about it.`,
        parameters: { id: ownIdDescription },
        request: [
          {
            summary: 'A key and a code that the authenticator app shows for it',
            value: { key: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', otp: exampleCode },
          },
        ],
        responses: { 200: [{ summary: 'Recovery codes', value: exampleRecoveryCodes }] },
      })),
  }),
  renewRecoveryCodes: defineOperation({
    id: 'renew_recovery_codes',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/{id}/totp/recovery-codes',
    access: bySession,
    summary: 'Replace the recovery codes of the current user',
    responses: { 200: docs && RecoveryCodes },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['totp.recovery_codes_renewed'],
    text:
      docs &&
      describe(() => ({
        description: `Replaces the recovery codes of the current user. The old ones end, and only this response contains the new ones. Without a
second factor, the response is 404. The user gets an email about it.`,
        parameters: { id: ownIdDescription },
        responses: { 200: [{ summary: 'Recovery codes', value: exampleRecoveryCodes }] },
      })),
  }),
  syncTotp: defineOperation({
    id: 'sync_totp',
    group: 'users',
    method: 'PUT',
    path: '/api/2/users/{id}/totp',
    access: bySession,
    summary: 'Measure the clock drift of an authenticator app',
    body: SyncTOTPRequest,
    responses: { 200: docs && SyncTOTP },
    errors: ['not_found', 'login_incomplete', 'too_many_requests', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['totp.synced', 'totp.refused'],
    limits: ['otpGuesses'],
    text:
      docs &&
      describe(() => ({
        description: `Measures how far the clock of the user's authenticator app is off, in steps of 30 seconds, and accepts its codes from then
on. Use it if the codes of a user are refused. A wrong code is a 403 \`login_incomplete\`. Without a second factor, the
response is 404.`,
        parameters: { id: ownIdDescription },
        request: [{ summary: 'A code that the authenticator app shows', value: { otp: exampleCode } }],
        responses: { 200: [{ summary: 'A clock that is a minute ahead', value: { drift: 2 } }] },
      })),
  }),
  disableTotp: defineOperation({
    id: 'disable_totp',
    group: 'users',
    method: 'DELETE',
    path: '/api/2/users/{id}/totp',
    access: bySession,
    summary: 'Turn off the one-time passwords of a user',
    // The one-time password that users send to turn off their own second factor.
    query: z.strictObject({ otp: z.optional(queryText) }),
    responses: { 204: null },
    errors: ['not_found', 'login_incomplete', 'too_many_requests', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['totp.disabled', 'totp.recovery_code_used', 'totp.refused'],
    limits: ['otpGuesses'],
    text:
      docs &&
      describe(() => ({
        description: `Turns off the one-time passwords of a user. Users send a code of their authenticator app or a recovery code as \`otp\` for their own.
Callers with the permission \`users:manage\` can turn off those of others without a code, such as after a lost phone. If
they are off already, the response is also 204. The user gets an email about it. Users keep their authenticator app while
their last way to sign in needs it: 409 with the reason \`last_sign_in_method\`.`,
        parameters: {
          id: userIdDescription,
          otp: {
            description: 'For the own account: a code of the authenticator app, or a recovery code.',
            example: exampleCode,
          },
        },
      })),
  }),
}
