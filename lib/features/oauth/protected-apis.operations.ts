import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { adminBySession, withPermission } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { filteringMode } from '../../kernel/contract/descriptions/common-texts.ts'
import { writable } from '../../kernel/contract/fields.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { ordering, paging, queryFilteringMode, querySearch } from '../../kernel/contract/query.ts'
import { protectedApisMax } from '../../kernel/limits/limits.ts'
import { AgentPolicy } from './agent-policy.models.ts'
import { ProtectedAPI, ProtectedAPIPartialUpdate, ProtectedAPIUpdate } from './protected-apis.models.ts'

/** Everyone who gives permissions to users sees what they mean. */
const view = withPermission('users:view', 'protected-apis:view')

const idDescription = docs && ({ description: 'The ID of the API.', example: exampleIds.client } as const)

export const protectedApis = {
  getAgentPolicy: defineOperation({
    id: 'get_agent_policy',
    group: 'oidc-clients',
    method: 'GET',
    path: '/api/2/system/agent-policy',
    access: adminBySession,
    summary: 'Get the hosts of agents',
    responses: { 200: docs && AgentPolicy },
    text:
      docs &&
      describe(() => ({
        description: 'Gets the hosts whose documents describe clients that no administrator registered.',
        parameters: {},
        responses: { 200: [{ summary: 'A policy', value: exampleOf(AgentPolicy) }] },
      })),
  }),
  updateAgentPolicy: defineOperation({
    id: 'update_agent_policy',
    group: 'oidc-clients',
    method: 'PUT',
    path: '/api/2/system/agent-policy',
    access: adminBySession,
    summary: 'Replace the hosts of agents',
    body: AgentPolicy,
    responses: { 200: docs && AgentPolicy },
    errors: ['conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['agent_policy.changed'],
    seals: { kinds: ['agent_policy'] },
    acceptsIfUnchanged: true,
    text:
      docs &&
      describe(() => ({
        description: `Replaces the hosts whose documents describe clients that no administrator registered. Name only hosts where one company decides what
is published. Each API has its own switch as well: \`unregistered_clients\`. Tokens of agents end when their host is removed.`,
        parameters: {},
        request: [
          { summary: 'One host', value: exampleOf(AgentPolicy) },
          { summary: 'No agents', value: { hosts: [] } },
        ],
        responses: { 200: [{ summary: 'The new policy', value: exampleOf(AgentPolicy) }] },
      })),
  }),
  getAllProtectedApis: defineOperation({
    id: 'get_all_protected_apis',
    group: 'oidc-clients',
    method: 'GET',
    path: '/api/2/protected-apis',
    access: view,
    summary: 'List APIs',
    query: z.strictObject({
      filter: z.optional(querySearch),
      filtering_mode: queryFilteringMode,
      ordering: ordering(['id', 'name']),
      ...paging,
    }),
    responses: { 200: docs && z.array(ProtectedAPI) },
    text:
      docs &&
      describe(() => ({
        description: 'Lists the registered APIs with their scopes and permissions.',
        parameters: {
          filter: {
            description: 'A text to search for in the names of APIs. An empty text selects all APIs.',
            example: 'films',
          },
          filtering_mode: filteringMode,
        },
        responses: { 200: [{ summary: 'APIs', value: [exampleOf(ProtectedAPI)] }] },
      })),
  }),
  createProtectedApi: defineOperation({
    id: 'create_protected_api',
    group: 'oidc-clients',
    method: 'POST',
    path: '/api/2/protected-apis',
    access: adminBySession,
    summary: 'Register an API',
    body: writable(ProtectedAPIUpdate, ProtectedAPI),
    responses: { 201: docs && ProtectedAPI },
    errors: ['conflict'],
    recentAuthentication: true,
    audit: ['protected_api.created'],
    text:
      docs &&
      describe(() => ({
        description: `Registers an API that accepts access tokens. Then clients can be allowed to ask for it, by \`apis\` of \`create_oidc_client\`.

An access token for the API states the permissions that its user has, that its scopes allow, and that the API lists. There
can be ${protectedApisMax} APIs. A taken name or audience is a 409.`,
        parameters: {},
        request: [{ summary: 'An API with one scope', value: exampleOf(ProtectedAPIUpdate) }],
        responses: { 201: [{ summary: 'The new API', value: exampleOf(ProtectedAPI) }] },
      })),
  }),
  getProtectedApi: defineOperation({
    id: 'get_protected_api',
    group: 'oidc-clients',
    method: 'GET',
    path: '/api/2/protected-apis/{id}',
    access: view,
    summary: 'Get an API',
    responses: { 200: docs && ProtectedAPI },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: 'Gets an API with its scopes and permissions.',
        parameters: { id: idDescription },
        responses: { 200: [{ summary: 'An API', value: exampleOf(ProtectedAPI) }] },
      })),
  }),
  patchProtectedApi: defineOperation({
    id: 'patch_protected_api',
    group: 'oidc-clients',
    method: 'PATCH',
    path: '/api/2/protected-apis/{id}',
    access: adminBySession,
    summary: 'Update some fields of an API',
    body: writable(ProtectedAPIPartialUpdate, ProtectedAPI),
    responses: { 200: docs && ProtectedAPI },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['protected_api.changed'],
    seals: { kinds: ['api'] },
    text:
      docs &&
      describe(() => ({
        description: `Changes the fields of an API that the body contains. They count from the next token on, for every client. A scope or
permission that is removed is in no new token. The audience cannot be changed.`,
        parameters: { id: idDescription },
        request: [{ summary: 'Another name', value: exampleOf(ProtectedAPIPartialUpdate) }],
        responses: { 200: [{ summary: 'The changed API', value: exampleOf(ProtectedAPI) }] },
      })),
  }),
  deleteProtectedApi: defineOperation({
    id: 'delete_protected_api',
    group: 'oidc-clients',
    method: 'DELETE',
    path: '/api/2/protected-apis/{id}',
    access: adminBySession,
    summary: 'Delete an API',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['protected_api.deleted'],
    seals: { kinds: ['api'] },
    text:
      docs &&
      describe(() => ({
        description: `Deletes an API. From then on, no client gets a token for it, not even if another API is registered with its audience.
Servers accept tokens until they expire.`,
        parameters: { id: idDescription },
      })),
  }),
}
