import * as z from 'zod/mini'
import { exampleIds } from '../../../accounts/example-values.models.ts'
import { bySession, withPermission } from '../../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import { userIdDescription } from '../../../kernel/contract/descriptions/common-texts.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import { ordering, paging } from '../../../kernel/contract/query.ts'
import { ConnectedApp } from '../../oauth/clients.models.ts'

const listQuery = z.strictObject({ ordering: ordering(['id', 'connected_at']), ...paging })
const exampleApps = docs && { 200: [{ summary: 'A client', value: [exampleOf(ConnectedApp)] }] }
const whatEndsDescription =
  docs &&
  `Its codes and refresh tokens stop working at once, in all sessions of the user. Its access tokens are no longer active for
introspection and userinfo. Servers that verify them on their own accept them until they expire. A client with a
\`backchannel_logout_uri\` is informed. The user has to sign in again before the client gets new tokens in the same session.`

/** The OpenID Connect clients that can get tokens about a user. */
export const usersClients = {
  getOwnApps: defineOperation({
    id: 'get_own_apps',
    group: 'users',
    method: 'GET',
    path: '/api/2/users/me/apps',
    access: bySession,
    summary: 'List the clients that the current user signed in at',
    query: listQuery,
    responses: { 200: docs && z.array(ConnectedApp) },
    notWhileImpersonating: true,
    text:
      docs &&
      describe(() => ({
        description: `Lists the OpenID Connect clients that can get tokens about the current user. The user signed in at them in a session that is
still active. End the access of one with \`end_own_app\`.`,
        parameters: {},
        responses: exampleApps,
      })),
  }),
  endOwnApp: defineOperation({
    id: 'end_own_app',
    group: 'users',
    method: 'DELETE',
    path: '/api/2/users/me/apps/{id}',
    access: bySession,
    summary: 'End the access of a client to the current user',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    audit: ['oidc_client.access_ended'],
    text:
      docs &&
      describe(() => ({
        description: `Ends the access of an OpenID Connect client to the current user. ${whatEndsDescription}`,
        parameters: {
          id: { description: 'The ID of the client, from `get_own_apps`.', example: exampleIds.client },
        },
      })),
  }),
  getUserApps: defineOperation({
    id: 'get_user_apps',
    group: 'users',
    method: 'GET',
    path: '/api/2/users/{id}/apps',
    access: withPermission('users:manage'),
    summary: 'List the clients that a user signed in at',
    query: listQuery,
    responses: { 200: docs && z.array(ConnectedApp) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Lists the OpenID Connect clients that can get tokens about a user, such as to see what a lost device had access to. End the access of one with `end_user_app`.',
        parameters: { id: userIdDescription },
        responses: exampleApps,
      })),
  }),
  endUserApp: defineOperation({
    id: 'end_user_app',
    group: 'users',
    method: 'DELETE',
    path: '/api/2/users/{id}/apps/{app_id}',
    access: withPermission('users:manage'),
    summary: 'End the access of a client to a user',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    audit: ['oidc_client.access_ended'],
    text:
      docs &&
      describe(() => ({
        description: `Ends the access of an OpenID Connect client to a user. ${whatEndsDescription}

Callers can change only users whose permissions they hold themselves.`,
        parameters: {
          id: userIdDescription,
          app_id: {
            description: 'The ID of the client, from `get_user_apps`.',
            example: exampleIds.client,
          },
        },
      })),
  }),
}
