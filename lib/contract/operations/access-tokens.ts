import * as z from 'zod/mini'
import { anyoneOrKnown, withPermission, withScope } from '../access.ts'
import {
  CreateAccessTokenRequest,
  MediaLibraryShareRequest,
  RedeemAccessTokenRequest,
  SendLinkEmailRequest,
} from '../models/access-token-requests.ts'
import { OneTimeAccessToken, RestrictedOneTimeAccessToken } from '../models/access-tokens.ts'
import { AuthLoginEndpointResponse } from '../models/login.ts'
import { MediaRootPermission } from '../models/media-permissions.ts'
import { defineOperation } from '../operation.ts'
import { ordering, paging, queryId, queryIds } from '../query.ts'

const oneId = z.optional(queryId)
const anyOfIds = z.optional(queryIds)

const filters = z.strictObject({
  shared_bundles: anyOfIds,
  shared_directories: anyOfIds,
  shared_bundles__asset: oneId,
  user: oneId,
  created_by: oneId,
  ordering: ordering([
    'id',
    'created_at',
    'expires',
    'user',
    'created_by',
    'url',
    'has_password',
    'view_limit_enabled',
    'view_limit_left',
    'is_easy_sharing_for_bundle',
    'is_easy_sharing_for_directory',
  ]),
  ...paging,
})

export const accessTokens = {
  getAllAccessTokens: defineOperation({
    id: 'get_all_access_tokens',
    group: 'access-tokens',
    method: 'GET',
    path: '/api/2/auth/access-tokens',
    access: withScope('links:view'),
    summary: 'List access links that the caller created or received',
    query: filters,
    responses: { 200: z.array(OneTimeAccessToken) },
  }),
  createAccessToken: defineOperation({
    id: 'create_access_token',
    group: 'access-tokens',
    method: 'POST',
    path: '/api/2/auth/access-tokens',
    access: withPermission('media:access'),
    summary: 'Create an access link to bundles or directories',
    body: CreateAccessTokenRequest,
    // 200 if easy sharing found an existing link of the caller for this object.
    responses: { 200: OneTimeAccessToken, 201: OneTimeAccessToken },
    errors: ['conflict'],
    notWhileImpersonating: true,
  }),
  shareMediaLibraryObjects: defineOperation({
    id: 'share_media_library_objects',
    group: 'access-tokens',
    method: 'POST',
    path: '/api/2/media/share',
    access: withPermission('media:access'),
    summary: 'Create an access link under the path of published clients',
    body: MediaLibraryShareRequest,
    responses: { 200: OneTimeAccessToken, 201: OneTimeAccessToken },
    errors: ['conflict'],
    notWhileImpersonating: true,
  }),
  getAccessToken: defineOperation({
    id: 'get_access_token',
    group: 'access-tokens',
    method: 'GET',
    path: '/api/2/auth/access-tokens/{id}',
    access: withScope('links:view'),
    summary: 'Get an access link with its newest uses',
    responses: { 200: OneTimeAccessToken },
    errors: ['not_found'],
  }),
  deleteAccessToken: defineOperation({
    id: 'delete_access_token',
    group: 'access-tokens',
    method: 'DELETE',
    path: '/api/2/auth/access-tokens/{id}',
    access: withScope('links:manage'),
    summary: 'Delete an access link and end its sessions',
    responses: { 204: null },
    errors: ['not_found', 'permission_denied', 'conflict'],
  }),
  sendAccessTokenEmailNotification: defineOperation({
    id: 'send_access_token_email_notification',
    group: 'access-tokens',
    method: 'POST',
    path: '/api/2/auth/access-tokens/{id}/email',
    access: withScope('links:manage'),
    summary: 'Email an access link',
    body: SendLinkEmailRequest,
    responses: { 204: null },
    errors: ['not_found', 'permission_denied', 'conflict', 'too_many_requests', 'upstream_failed'],
  }),
  getAccessTokenByValue: defineOperation({
    id: 'get_access_token_by_value',
    group: 'access-tokens',
    method: 'GET',
    path: '/api/2/auth/access-tokens/get/{token}',
    access: anyoneOrKnown,
    acceptsProduct: true,
    summary: 'Look up an access link by its value without taking a view',
    query: filters,
    responses: { 200: RestrictedOneTimeAccessToken },
    errors: ['not_found', 'too_many_requests'],
  }),
  getAccessTokenMediaLibraryPermissions: defineOperation({
    id: 'get_access_token_media_library_permissions',
    group: 'access-tokens',
    method: 'GET',
    path: '/api/2/auth/access-tokens/{id}/permissions',
    access: withScope('links:view'),
    summary: 'List the media library permissions of an access link',
    responses: { 200: z.array(MediaRootPermission) },
    errors: ['not_found'],
  }),
  redeemAccessToken: defineOperation({
    id: 'redeem_access_token',
    group: 'access-tokens',
    method: 'POST',
    path: '/api/2/auth/access-tokens/redeem',
    access: anyoneOrKnown,
    acceptsProduct: true,
    summary: 'Redeem an access link for a session of its recipient',
    body: RedeemAccessTokenRequest,
    responses: { 200: AuthLoginEndpointResponse },
    errors: [
      'not_found',
      'not_authenticated',
      'permission_denied',
      'login_failed',
      'login_incomplete',
      'too_many_requests',
    ],
  }),
}
