import * as z from 'zod/mini'
import { bySession, withPermission, withScope } from '../access.ts'
import {
  APIToken,
  APITokenPartialUpdate,
  APITokenUpdate,
  APITokenWithSecret,
  APITokenWithSecretUpdate,
  OwnedAPIToken,
} from '../models/api-tokens.ts'
import { writable } from '../models/writable.ts'
import { defineOperation } from '../operation.ts'
import { ordering, paging, queryId, queryText } from '../query.ts'

const user = z.optional(queryId).register(z.globalRegistry, {
  description: 'The owner. Only administrators can name another user than themselves.',
})

export const apiTokens = {
  getAllApiTokens: defineOperation({
    id: 'get_all_api_tokens',
    group: 'api-tokens',
    method: 'GET',
    path: '/api/2/api-tokens',
    access: withScope('api-tokens:view'),
    summary: "List the caller's API tokens, or those of a user for administrators",
    query: z.strictObject({
      user,
      name: z.optional(queryText),
      ordering: ordering(['id', 'name']),
      ...paging,
    }),
    responses: { 200: z.array(APIToken) },
  }),
  getApiTokensOfAllUsers: defineOperation({
    id: 'get_api_tokens_of_all_users',
    group: 'api-tokens',
    method: 'GET',
    path: '/api/2/api-tokens/all',
    // Tokens with the scope `api-tokens:view` were made to see those of their owner.
    access: withPermission('system:admin-access'),
    summary: 'List the API tokens of all users, newest first',
    query: z.strictObject({
      user: z.optional(queryId),
      ordering: ordering(['created_at'], '-created_at'),
      ...paging,
    }),
    responses: { 200: z.array(OwnedAPIToken) },
  }),
  createApiToken: defineOperation({
    id: 'create_api_token',
    group: 'api-tokens',
    method: 'POST',
    path: '/api/2/api-tokens',
    access: bySession,
    summary: 'Create an API token and return its value once',
    body: writable(APITokenWithSecretUpdate, APITokenWithSecret),
    responses: { 201: APITokenWithSecret },
    errors: ['conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
  }),
  getApiToken: defineOperation({
    id: 'get_api_token',
    group: 'api-tokens',
    method: 'GET',
    path: '/api/2/api-tokens/{id}',
    access: withScope('api-tokens:view'),
    summary: 'Get an API token of the caller, or of a user for administrators, without its value',
    query: z.strictObject({ user }),
    responses: { 200: APIToken },
    errors: ['not_found'],
  }),
  updateApiToken: defineOperation({
    id: 'update_api_token',
    group: 'api-tokens',
    method: 'PUT',
    path: '/api/2/api-tokens/{id}',
    access: withScope('api-tokens:manage'),
    summary: 'Rename an API token by a whole object',
    body: writable(APITokenUpdate, APIToken),
    responses: { 200: APIToken },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
  }),
  patchApiToken: defineOperation({
    id: 'patch_api_token',
    group: 'api-tokens',
    method: 'PATCH',
    path: '/api/2/api-tokens/{id}',
    access: withScope('api-tokens:manage'),
    summary: 'Rename an API token',
    body: writable(APITokenPartialUpdate, APIToken),
    responses: { 200: APIToken },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
  }),
  deleteApiToken: defineOperation({
    id: 'delete_api_token',
    group: 'api-tokens',
    method: 'DELETE',
    path: '/api/2/api-tokens/{id}',
    access: withScope('api-tokens:manage'),
    summary: 'Delete an API token of the caller, or of a user for administrators',
    query: z.strictObject({ user }),
    responses: { 204: null },
    errors: ['not_found'],
    notWhileImpersonating: true,
  }),
}
