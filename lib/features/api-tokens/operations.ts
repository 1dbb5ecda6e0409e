import * as z from 'zod/mini'
import { bySession, withPermission, withScope } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { givenDateTime, writable } from '../../kernel/contract/fields.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { ordering, paging, queryBoolean, queryId, queryText } from '../../kernel/contract/query.ts'
import {
  apiTokensPerUser,
  apiTokenUsePrecisionMs,
  customTokenEntropyBits,
  replacedApiTokenMs,
} from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import {
  APIToken,
  APITokenPartialUpdate,
  APITokenUpdate,
  APITokenWithSecret,
  APITokenWithSecretUpdate,
  OwnedAPIToken,
  ShortenTokenRequest,
} from './models.ts'

const user = z.optional(queryId).register(z.globalRegistry, {
  description: 'The owner. Only administrators can name another user than themselves.',
})

const idDescription = docs && ({ description: 'The ID of the API token.', example: 9 } as const)

const ownerDescription =
  docs &&
  ({
    description:
      'The ID of the owner. Without it, the caller. Only administrators can name another user than themselves.',
    example: 7,
  } as const)

const exampleRename = docs && ([{ summary: 'Another name', value: { name: 'nightly export' } }] as const)

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
    responses: { 200: docs && z.array(APIToken) },
    text:
      docs &&
      describe(() => ({
        description: `Lists the API tokens of the caller, also expired ones. Administrators can list those of another user with \`user\`. The
values of the tokens are not part of it: only the response to \`create_api_token\` contains them. \`last_used_at\` has a
precision of ${describeDuration(apiTokenUsePrecisionMs)}.`,
        parameters: {
          user: ownerDescription,
          name: { description: 'Only API tokens with exactly this name.', example: 'nightly export' },
        },
        responses: { 200: [{ summary: 'API tokens', value: [exampleOf(APIToken)] }] },
      })),
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
      name: z.optional(queryText),
      scope: z.optional(queryText),
      unlimited: z.optional(queryBoolean),
      unused_since: z.optional(givenDateTime),
      ordering: ordering(['created_at'], '-created_at'),
      ...paging,
    }),
    responses: { 200: docs && z.array(OwnedAPIToken) },
    text:
      docs &&
      describe(() => ({
        description: `Lists the API tokens of all users with their owners, also expired ones. The newest comes first. Use it to find tokens that
may do too much, or that nothing uses. To revoke one, call \`delete_api_token\` with its owner as \`user\`.

All filters must match. A request examines up to 1,000 tokens. If few of them match, the page is short or empty, and its \`Link\`
header leads on. To find a token by its value, call \`find_credential\`.`,
        parameters: {
          user: { description: 'Only the API tokens of this user.', example: 7 },
          name: {
            description: 'Only API tokens whose name contains this text. Case makes no difference.',
            example: 'export',
          },
          scope: {
            description: 'Only API tokens that are limited to this scope among others.',
            example: 'users:view',
          },
          unlimited: {
            description: 'With `true`, only API tokens without scopes, which may do what their owner may.',
            example: true,
          },
          unused_since: {
            description: `Only API tokens that were not used at or after this time, in ISO 8601, with a precision of ${describeDuration(apiTokenUsePrecisionMs)}.`,
            example: '2026-06-01T00:00:00Z',
          },
        },
        responses: { 200: [{ summary: 'API tokens with their owners', value: [exampleOf(OwnedAPIToken)] }] },
      })),
  }),
  createApiToken: defineOperation({
    id: 'create_api_token',
    group: 'api-tokens',
    method: 'POST',
    path: '/api/2/api-tokens',
    access: bySession,
    summary: 'Create an API token and return its value once',
    body: writable(APITokenWithSecretUpdate, APITokenWithSecret),
    responses: { 201: docs && APITokenWithSecret },
    errors: ['conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['api_token.created', 'api_token.deleted'],
    text:
      docs &&
      describe(() => ({
        description: `Creates an API token: a credential for a script or a server that acts as the caller. Send it as
\`Authorization: Bearer …\`. Store \`token\` of the response in a safe place. No later response contains it.

Limit the token with \`scopes\` to what the script needs, and with \`expires\` to a time. Later, only an earlier end can be set. A
token without scopes may do what its owner may, except for operations that do not accept API tokens. Usually leave
out \`token\`. A value of your own needs ${customTokenEntropyBits} bits of randomness and 32 to 1,023 characters, such as in base64.

A user can have ${apiTokensPerUser} API tokens. Expired ones make room. The user gets an email about the new token.`,
        parameters: {},
        request: [
          {
            summary: 'A token that reads users until the end of 2027',
            value: { name: 'nightly export', scopes: ['users:view'], expires: '2027-12-31T23:00:00Z' },
          },
          { summary: 'A token that may do all that its owner may', value: { name: 'backup' } },
        ],
        responses: {
          201: [{ summary: 'A new API token with its value', value: exampleOf(APITokenWithSecret) }],
        },
      })),
  }),
  getApiToken: defineOperation({
    id: 'get_api_token',
    group: 'api-tokens',
    method: 'GET',
    path: '/api/2/api-tokens/{id}',
    access: withScope('api-tokens:view'),
    summary: 'Get an API token of the caller, or of a user for administrators, without its value',
    query: z.strictObject({ user }),
    responses: { 200: docs && APIToken },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Gets an API token of the caller without its value. Administrators can get one of another user with \`user\`. Otherwise, a
token of another user is a 404.`,
        parameters: { id: idDescription, user: ownerDescription },
        responses: {
          200: [
            {
              summary: 'An API token',
              value: exampleOf(APIToken),
            },
          ],
        },
      })),
  }),
  updateApiToken: defineOperation({
    id: 'update_api_token',
    group: 'api-tokens',
    method: 'PUT',
    path: '/api/2/api-tokens/{id}',
    access: withScope('api-tokens:manage'),
    summary: 'Rename an API token by a whole object',
    body: writable(APITokenUpdate, APIToken),
    responses: { 200: docs && APIToken },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    audit: ['api_token.changed'],
    text:
      docs &&
      describe(() => ({
        description: `Renames an API token of the caller. Other fields of the body are ignored, so that a client can send back what it read. The
value and the scopes never change: create a new token for that. \`shorten_api_token\` brings the end forward.`,
        parameters: { id: idDescription },
        request: exampleRename,
        responses: { 200: [{ summary: 'The renamed API token', value: exampleOf(APIToken) }] },
      })),
  }),
  patchApiToken: defineOperation({
    id: 'patch_api_token',
    group: 'api-tokens',
    method: 'PATCH',
    path: '/api/2/api-tokens/{id}',
    access: withScope('api-tokens:manage'),
    summary: 'Rename an API token',
    body: writable(APITokenPartialUpdate, APIToken),
    responses: { 200: docs && APIToken },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    audit: ['api_token.changed'],
    text:
      docs &&
      describe(() => ({
        description: `Renames an API token of the caller, like \`update_api_token\`. Without \`name\`, nothing changes.`,
        parameters: { id: idDescription },
        request: exampleRename,
        responses: { 200: [{ summary: 'The renamed API token', value: exampleOf(APIToken) }] },
      })),
  }),
  shortenApiToken: defineOperation({
    id: 'shorten_api_token',
    group: 'api-tokens',
    method: 'POST',
    path: '/api/2/api-tokens/{id}/shorten',
    access: withScope('api-tokens:manage'),
    summary: 'Let an API token of the caller expire earlier, or one of a user for administrators',
    body: ShortenTokenRequest,
    responses: { 200: docs && APIToken },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['api_token.shortened'],
    text:
      docs &&
      describe(() => ({
        description: `Lets an API token of the caller expire within ${describeDuration(replacedApiTokenMs)}, such as while a new one replaces it. Administrators can do
this for a token of another user with \`user\`. To end a token now, call \`delete_api_token\`.

A token never expires later than before: a later end is a 400. Repeating the request changes nothing.`,
        parameters: { id: idDescription },
        request: [{ summary: 'An end within a week', value: exampleOf(ShortenTokenRequest) }],
        responses: { 200: [{ summary: 'The API token with its end', value: exampleOf(APIToken) }] },
      })),
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
    audit: ['api_token.deleted'],
    text:
      docs &&
      describe(() => ({
        description: `Deletes an API token of the caller. Administrators can delete one of another user with \`user\`. The token and its unused
tickets stop working at once. An API token can delete itself. The audit event names the administrator
as \`actor\`. The owner gets an email if an administrator deleted the token.`,
        parameters: { id: idDescription, user: ownerDescription },
      })),
  }),
}
