import * as z from 'zod/mini'
import { anyone, bySession, withPermission, withScope } from '../access.ts'
import { ChangeOwnEmailRequest, ConfirmEmailRequest } from '../models/email-change.ts'
import {
  ServiceUserProfile,
  ServiceUserProfilePartialUpdate,
  ServiceUserProfileUpdate,
} from '../models/profile.ts'
import { ServiceUserDetail } from '../models/user-detail.ts'
import { UserInvitationState } from '../models/user-invitation.ts'
import {
  ServiceUserDetailCreation,
  ServiceUserDetailPartialUpdate,
  ServiceUserDetailUpdate,
} from '../models/user-update.ts'
import { writable } from '../models/writable.ts'
import { defineOperation } from '../operation.ts'
import {
  ordering,
  paging,
  queryBoolean,
  queryFilteringMode,
  queryId,
  queryInt,
  querySearch,
  queryText,
} from '../query.ts'
import { usersSamlAccounts } from './users-saml-accounts.ts'
import { usersTotp } from './users-totp.ts'

const view = withPermission('users:view')
const manage = withPermission('users:manage')

const user = writable(ServiceUserDetailUpdate, ServiceUserDetail)

/** Clients can leave out parts that cost other services of this interface extra work. */
const include = {
  include_allowed_fs_paths: z.optional(queryBoolean),
  include_effective_permissions: z.optional(queryBoolean),
}

/** Published clients send the parameters of a list with the profile too. They change nothing. */
const ignored = {
  description: 'Known to published clients. It changes nothing, because a profile is not a list.',
}
const ignoredNumber = z.optional(queryInt({ min: 0, max: 2 ** 31 - 1 })).register(z.globalRegistry, ignored)
const ignoredText = z.optional(queryText).register(z.globalRegistry, ignored)

export const users = {
  ...usersSamlAccounts,
  getCurrentUser: defineOperation({
    id: 'get_current_user',
    group: 'users',
    method: 'GET',
    path: '/api/2/users/me',
    access: withScope('profile:view'),
    summary: 'Get the current user',
    query: z.strictObject({ limit: ignoredNumber, offset: ignoredNumber, ordering: ignoredText }),
    responses: { 200: ServiceUserProfile },
    allowsSetupSession: true,
  }),
  updateCurrentUser: defineOperation({
    id: 'update_current_user',
    group: 'users',
    method: 'PATCH',
    path: '/api/2/users/me',
    access: withScope('profile:manage'),
    summary: "Update the current user's profile",
    body: writable(ServiceUserProfilePartialUpdate, ServiceUserProfile),
    responses: { 200: ServiceUserProfile },
    errors: ['permission_denied', 'conflict'],
  }),
  updateProfile: defineOperation({
    id: 'update_profile',
    group: 'users',
    method: 'PUT',
    path: '/api/2/users/me',
    access: withScope('profile:manage'),
    summary: "Replace the current user's profile",
    body: writable(ServiceUserProfileUpdate, ServiceUserProfile),
    responses: { 200: ServiceUserProfile },
    errors: ['permission_denied', 'conflict'],
  }),
  getAllUsers: defineOperation({
    id: 'get_all_users',
    group: 'users',
    method: 'GET',
    path: '/api/2/users',
    access: view,
    summary: 'List users',
    query: z.strictObject({
      username: z.optional(queryText),
      email: z.optional(queryText),
      full_name: z.optional(queryText),
      filter: z.optional(querySearch),
      filtering_mode: queryFilteringMode,
      is_enabled: z.optional(queryBoolean),
      is_cloud: z.optional(queryBoolean),
      // Published clients declare a text, although a user's `home` is a number.
      home: z.optional(queryText),
      groups: z.optional(queryId),
      email_state: z.optional(z.enum(['verified', 'unverified', 'none'])),
      invitation: z.optional(z.enum(['pending', 'expired', 'accepted'])),
      ...include,
      include_client_sessions: z.optional(queryBoolean),
      ordering: ordering(['id', 'username']),
      ...paging,
    }),
    responses: { 200: z.array(ServiceUserDetail) },
  }),
  createUser: defineOperation({
    id: 'create_user',
    group: 'users',
    method: 'POST',
    path: '/api/2/users',
    access: manage,
    summary: 'Create a user',
    body: writable(ServiceUserDetailCreation, ServiceUserDetail),
    responses: { 201: ServiceUserDetail },
    errors: ['conflict', 'permission_denied', 'too_many_requests'],
    recentAuthentication: 'for_sign_in_and_rights',
  }),
  getUser: defineOperation({
    id: 'get_user',
    group: 'users',
    method: 'GET',
    path: '/api/2/users/{id}',
    access: view,
    summary: 'Get a user',
    query: z.strictObject(include),
    responses: { 200: ServiceUserDetail },
    errors: ['not_found'],
  }),
  updateUser: defineOperation({
    id: 'update_user',
    group: 'users',
    method: 'PUT',
    path: '/api/2/users/{id}',
    access: manage,
    summary: 'Replace a user',
    body: user,
    responses: { 200: ServiceUserDetail },
    errors: ['not_found', 'conflict'],
    recentAuthentication: 'for_sign_in_and_rights',
  }),
  patchUser: defineOperation({
    id: 'patch_user',
    group: 'users',
    method: 'PATCH',
    path: '/api/2/users/{id}',
    access: manage,
    summary: 'Update some fields of a user',
    body: writable(ServiceUserDetailPartialUpdate, ServiceUserDetail),
    responses: { 200: ServiceUserDetail },
    errors: ['not_found', 'conflict'],
    recentAuthentication: 'for_sign_in_and_rights',
  }),
  deleteUser: defineOperation({
    id: 'delete_user',
    group: 'users',
    method: 'DELETE',
    path: '/api/2/users/{id}',
    access: manage,
    summary: 'Delete a user',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    recentAuthentication: 'for_sign_in_and_rights',
  }),
  endUserSessions: defineOperation({
    id: 'end_user_sessions',
    group: 'users',
    method: 'DELETE',
    path: '/api/2/users/{id}/sessions',
    access: manage,
    summary: 'End all sessions of a user',
    responses: { 204: null },
    errors: ['not_found'],
  }),
  sendPasswordReset: defineOperation({
    id: 'send_password_reset',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/{id}/password/reset',
    access: manage,
    summary: 'Email a user a password reset link',
    responses: { 204: null },
    errors: ['not_found', 'conflict', 'too_many_requests'],
    notWhileImpersonating: true,
  }),
  inviteUser: defineOperation({
    id: 'invite_user',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/{id}/invite',
    access: manage,
    summary: 'Email a user an invitation to sign in for the first time',
    responses: { 200: UserInvitationState },
    errors: ['not_found', 'conflict', 'too_many_requests'],
    notWhileImpersonating: true,
  }),
  revokeInvitation: defineOperation({
    id: 'revoke_invitation',
    group: 'users',
    method: 'DELETE',
    path: '/api/2/users/{id}/invite',
    access: manage,
    summary: 'Revoke the invitation of a user',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
  }),
  changeOwnEmail: defineOperation({
    id: 'change_own_email',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/me/email',
    access: bySession,
    summary: "Change the current user's email address after a confirmation",
    body: ChangeOwnEmailRequest,
    responses: { 204: null },
    errors: ['too_many_requests', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
  }),
  sendEmailConfirmation: defineOperation({
    id: 'send_email_confirmation',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/{id}/email/confirmation',
    access: bySession,
    summary: 'Email a link that confirms the email address of a user',
    responses: { 204: null },
    errors: ['not_found', 'conflict', 'too_many_requests'],
    notWhileImpersonating: true,
  }),
  confirmEmail: defineOperation({
    id: 'confirm_email',
    group: 'users',
    method: 'POST',
    path: '/api/2/auth/confirm-email',
    access: anyone,
    summary: 'Confirm an email address with the link that was sent to it',
    body: ConfirmEmailRequest,
    responses: { 204: null },
    errors: ['invalid_token', 'conflict', 'too_many_requests'],
  }),
  ...usersTotp,
}
