import * as z from 'zod/mini'
import { bySession } from '../access.ts'
import { EnableTOTP, EnableTOTPRequest, RecoveryCodes, SyncTOTP, SyncTOTPRequest } from '../models/totp.ts'
import { defineOperation } from '../operation.ts'
import { queryText } from '../query.ts'

/** The authenticator apps of users. They belong to the operations on users. */
export const usersTotp = {
  enableTotp: defineOperation({
    id: 'enable_totp',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/{id}/totp',
    access: bySession,
    summary: 'Turn on one-time passwords for the current user',
    body: EnableTOTPRequest,
    responses: { 200: EnableTOTP },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    allowsSetupSession: true,
  }),
  renewRecoveryCodes: defineOperation({
    id: 'renew_recovery_codes',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/{id}/totp/recovery-codes',
    access: bySession,
    summary: 'Replace the recovery codes of the current user',
    responses: { 200: RecoveryCodes },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
  }),
  syncTotp: defineOperation({
    id: 'sync_totp',
    group: 'users',
    method: 'PUT',
    path: '/api/2/users/{id}/totp',
    access: bySession,
    summary: 'Measure the clock drift of an authenticator app',
    body: SyncTOTPRequest,
    responses: { 200: SyncTOTP },
    errors: ['not_found', 'login_incomplete', 'too_many_requests', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
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
  }),
}
