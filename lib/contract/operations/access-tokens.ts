import * as z from 'zod/mini'
import { anyone, anyoneOrKnown, authenticated, withPermission } from '../access.ts'
import {
  CreateAccessTokenRequest,
  RedeemAccessTokenRequest,
  SendLinkEmailRequest,
} from '../models/access-token-requests.ts'
import { OneTimeAccessToken, RestrictedOneTimeAccessToken } from '../models/access-tokens.ts'
import { AuthLoginEndpointResponse } from '../models/login.ts'
import { MediaRootPermission } from '../models/media-permissions.ts'
import { operation } from '../operation.ts'
import { ordering, paging, queryId, queryIds } from '../query.ts'

const oneId = z.optional(queryId)
const anyOfIds = z.optional(queryIds)

const filters = z.strictObject({
  shared_bundles: anyOfIds,
  shared_directories: anyOfIds,
  shared_bundles__asset: oneId,
  user: oneId,
  created_by: oneId,
  ordering: ordering(['id', 'created_at', 'expires', 'view_limit_left']),
  ...paging,
})

export const accessTokens = {
  getAllAccessTokens: operation({
    id: 'get_all_access_tokens',
    group: 'access-tokens',
    method: 'GET',
    path: '/api/2/auth/access-tokens',
    access: authenticated,
    summary: 'List the one-time access tokens that the caller made or was given',
    query: filters,
    responses: { 200: z.array(OneTimeAccessToken) },
  }),
  createAccessToken: operation({
    id: 'create_access_token',
    group: 'access-tokens',
    method: 'POST',
    path: '/api/2/auth/access-tokens',
    access: withPermission('media:access'),
    summary: 'Make a link that opens bundles or directories to one recipient',
    body: CreateAccessTokenRequest,
    // 200 for an object that is shared easily and has its link already.
    responses: { 200: OneTimeAccessToken, 201: OneTimeAccessToken },
  }),
  getAccessToken: operation({
    id: 'get_access_token',
    group: 'access-tokens',
    method: 'GET',
    path: '/api/2/auth/access-tokens/{id}',
    access: authenticated,
    summary: 'Show a one-time access token and when it was used',
    responses: { 200: OneTimeAccessToken },
  }),
  deleteAccessToken: operation({
    id: 'delete_access_token',
    group: 'access-tokens',
    method: 'DELETE',
    path: '/api/2/auth/access-tokens/{id}',
    access: authenticated,
    summary: 'Delete a one-time access token and end all that came of it',
    responses: { 204: null },
  }),
  sendAccessTokenEmailNotification: operation({
    id: 'send_access_token_email_notification',
    group: 'access-tokens',
    method: 'POST',
    path: '/api/2/auth/access-tokens/{id}/email',
    access: authenticated,
    summary: 'Mail the link of a one-time access token',
    body: SendLinkEmailRequest,
    responses: { 204: null },
  }),
  getAccessTokenByValue: operation({
    id: 'get_access_token_by_value',
    group: 'access-tokens',
    method: 'GET',
    path: '/api/2/auth/access-tokens/get/{token}',
    access: anyone,
    summary: 'Show what a link is, without using it',
    query: filters,
    responses: { 200: RestrictedOneTimeAccessToken },
  }),
  getAccessTokenMediaLibraryPermissions: operation({
    id: 'get_access_token_media_library_permissions',
    group: 'access-tokens',
    method: 'GET',
    path: '/api/2/auth/access-tokens/{id}/permissions',
    access: authenticated,
    summary: 'List what a one-time access token allows in the media library',
    responses: { 200: z.array(MediaRootPermission) },
  }),
  redeemAccessToken: operation({
    id: 'redeem_access_token',
    group: 'access-tokens',
    method: 'POST',
    path: '/api/2/auth/access-tokens/redeem',
    access: anyoneOrKnown,
    summary: 'Use a link: open a session for its recipient',
    body: RedeemAccessTokenRequest,
    responses: { 200: AuthLoginEndpointResponse },
  }),
}
