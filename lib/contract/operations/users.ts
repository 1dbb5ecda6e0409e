import * as z from 'zod/mini'
import { authenticated, bySession, withPermission, withPermissionBySession } from '../access.ts'
import { ChangeOwnPasswordRequest, ChangePasswordRequest } from '../models/password-change.ts'
import { ServiceUserProfile, ServiceUserProfilePartialUpdate } from '../models/profile.ts'
import { EnableTOTP, EnableTOTPRequest, SyncTOTP, SyncTOTPRequest } from '../models/totp.ts'
import { ServiceUserDetail } from '../models/user-detail.ts'
import { ServiceUserDetailPartialUpdate, ServiceUserDetailUpdate } from '../models/user-update.ts'
import { writable } from '../models/writable.ts'
import { operation } from '../operation.ts'
import { ordering, paging, queryBoolean, queryId, queryText } from '../query.ts'

const view = withPermission('users:view')
const manage = withPermission('users:manage')

const user = writable(ServiceUserDetailUpdate, ServiceUserDetail)

export const users = {
  getCurrentUser: operation({
    id: 'get_current_user',
    group: 'users',
    method: 'GET',
    path: '/api/2/users/me',
    access: authenticated,
    summary: 'Get the current user',
    responses: { 200: ServiceUserProfile },
  }),
  updateCurrentUser: operation({
    id: 'update_current_user',
    group: 'users',
    method: 'PATCH',
    path: '/api/2/users/me',
    access: authenticated,
    summary: "Update the current user's profile",
    body: writable(ServiceUserProfilePartialUpdate, ServiceUserProfile),
    responses: { 200: ServiceUserProfile },
  }),
  getAllUsers: operation({
    id: 'get_all_users',
    group: 'users',
    method: 'GET',
    path: '/api/2/users',
    access: view,
    summary: 'List users',
    query: z.strictObject({
      username: z.optional(queryText),
      email: z.optional(queryText),
      is_enabled: z.optional(queryBoolean),
      groups: z.optional(queryId),
      ordering: ordering(['id', 'username']),
      ...paging,
    }),
    responses: { 200: z.array(ServiceUserDetail) },
  }),
  createUser: operation({
    id: 'create_user',
    group: 'users',
    method: 'POST',
    path: '/api/2/users',
    access: manage,
    summary: 'Create a user',
    body: user,
    responses: { 201: ServiceUserDetail },
  }),
  getUser: operation({
    id: 'get_user',
    group: 'users',
    method: 'GET',
    path: '/api/2/users/{id}',
    access: view,
    summary: 'Get a user',
    responses: { 200: ServiceUserDetail },
  }),
  updateUser: operation({
    id: 'update_user',
    group: 'users',
    method: 'PUT',
    path: '/api/2/users/{id}',
    access: manage,
    summary: 'Replace a user',
    body: user,
    responses: { 200: ServiceUserDetail },
  }),
  patchUser: operation({
    id: 'patch_user',
    group: 'users',
    method: 'PATCH',
    path: '/api/2/users/{id}',
    access: manage,
    summary: 'Update some fields of a user',
    body: writable(ServiceUserDetailPartialUpdate, ServiceUserDetail),
    responses: { 200: ServiceUserDetail },
  }),
  deleteUser: operation({
    id: 'delete_user',
    group: 'users',
    method: 'DELETE',
    path: '/api/2/users/{id}',
    access: manage,
    summary: 'Delete a user',
    responses: { 204: null },
  }),
  endUserSessions: operation({
    id: 'end_user_sessions',
    group: 'users',
    method: 'DELETE',
    path: '/api/2/users/{id}/sessions',
    access: manage,
    summary: 'End all sessions of a user',
    responses: { 204: null },
  }),
  changeOwnPassword: operation({
    id: 'change_own_password',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/me/password',
    access: bySession,
    summary: "Change the current user's password",
    body: ChangeOwnPasswordRequest,
    responses: { 204: null },
    notWhileImpersonating: true,
  }),
  setUserPassword: operation({
    id: 'set_user_password',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/{id}/password',
    access: withPermissionBySession('users:manage'),
    summary: 'Set the password of a user',
    body: ChangePasswordRequest,
    responses: { 204: null },
    notWhileImpersonating: true,
  }),
  sendPasswordReset: operation({
    id: 'send_password_reset',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/{id}/password/reset',
    access: manage,
    summary: 'Email a user a password reset link',
    responses: { 204: null },
    notWhileImpersonating: true,
  }),
  enableTotp: operation({
    id: 'enable_totp',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/{id}/totp',
    access: bySession,
    summary: 'Turn on one-time passwords for the current user',
    body: EnableTOTPRequest,
    responses: { 200: EnableTOTP },
    notWhileImpersonating: true,
  }),
  syncTotp: operation({
    id: 'sync_totp',
    group: 'users',
    method: 'PUT',
    path: '/api/2/users/{id}/totp',
    access: bySession,
    summary: 'Measure the clock drift of an authenticator app',
    body: SyncTOTPRequest,
    responses: { 200: SyncTOTP },
    notWhileImpersonating: true,
  }),
  disableTotp: operation({
    id: 'disable_totp',
    group: 'users',
    method: 'DELETE',
    path: '/api/2/users/{id}/totp',
    access: bySession,
    summary: 'Turn off one-time passwords',
    // The one-time password that users send to turn off their own second factor.
    query: z.strictObject({ otp: z.optional(queryText) }),
    responses: { 204: null },
    notWhileImpersonating: true,
  }),
}
