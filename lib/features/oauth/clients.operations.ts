import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { adminBySession, adminWithScope } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { filteringMode } from '../../kernel/contract/descriptions/common-texts.ts'
import { writable } from '../../kernel/contract/fields.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { ordering, paging, queryFilteringMode, querySearch } from '../../kernel/contract/query.ts'
import { clientsMax, secretsPerHolder } from '../../kernel/limits/limits.ts'
import { managed } from '../configuration/managed.operations.ts'
import {
  OIDCClient,
  OIDCClientPartialUpdate,
  OIDCClientSecret,
  OIDCClientSecretRenewal,
  OIDCClientUpdate,
  OIDCClientWithSecret,
} from './clients.models.ts'
import { protectedApis } from './protected-apis.operations.ts'

const view = adminWithScope('oidc-clients:view')

const idDescription =
  docs &&
  ({
    description: 'The ID of the client, not its `client_id`.',
    example: exampleIds.client,
  } as const)

export const oidcClients = {
  getAllOidcClients: defineOperation({
    id: 'get_all_oidc_clients',
    group: 'oidc-clients',
    method: 'GET',
    path: '/api/2/oidc-clients',
    access: view,
    summary: 'List OpenID Connect clients',
    query: z.strictObject({
      filter: z.optional(querySearch),
      filtering_mode: queryFilteringMode,
      ordering: ordering(['id', 'name']),
      ...paging,
    }),
    responses: { 200: docs && z.array(OIDCClient) },
    text:
      docs &&
      describe(() => ({
        description: 'Lists the registered clients without their secrets.',
        parameters: {
          filter: {
            description: 'A text to search for in the names of clients. An empty text selects all clients.',
            example: 'shop',
          },
          filtering_mode: filteringMode,
        },
        responses: { 200: [{ summary: 'OpenID Connect clients', value: [exampleOf(OIDCClient)] }] },
      })),
  }),
  createOidcClient: defineOperation({
    id: 'create_oidc_client',
    group: 'oidc-clients',
    method: 'POST',
    path: '/api/2/oidc-clients',
    // An API token could otherwise send the sign-ins of all users to an address of its choice.
    access: adminBySession,
    summary: 'Register an OpenID Connect client',
    body: writable(OIDCClientUpdate, OIDCClient),
    responses: { 201: docs && OIDCClientWithSecret },
    errors: ['conflict'],
    recentAuthentication: true,
    audit: ['oidc_client.created'],
    text:
      docs &&
      describe(() => ({
        description: `Registers a product that signs its users in by OpenID Connect. Store \`client_secret\` of the response in a safe place. No
later response contains it.

Users are not asked for consent, so register only products that you trust. There can be ${clientsMax.toLocaleString('en-US')} clients. A taken name is a
409.`,
        parameters: {},
        request: [
          { summary: 'A server', value: exampleOf(OIDCClientUpdate) },
          {
            summary: 'A client without a secret',
            value: {
              name: 'Shop app',
              type: 'public',
              redirect_uris: ['com.example.shop:/callback'],
              scopes: ['openid', 'profile', 'offline_access'],
            },
          },
        ],
        responses: {
          201: [{ summary: 'The new client with its secret', value: exampleOf(OIDCClientWithSecret) }],
        },
      })),
  }),
  getOidcClient: defineOperation({
    id: 'get_oidc_client',
    group: 'oidc-clients',
    method: 'GET',
    path: '/api/2/oidc-clients/{id}',
    access: view,
    summary: 'Get an OpenID Connect client',
    responses: { 200: docs && OIDCClient },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: 'Gets a client without its secret.',
        parameters: { id: idDescription },
        responses: { 200: [{ summary: 'An OpenID Connect client', value: exampleOf(OIDCClient) }] },
      })),
  }),
  patchOidcClient: defineOperation({
    id: 'patch_oidc_client',
    group: 'oidc-clients',
    method: 'PATCH',
    path: '/api/2/oidc-clients/{id}',
    access: adminBySession,
    summary: 'Update some fields of an OpenID Connect client',
    body: writable(OIDCClientPartialUpdate, OIDCClient),
    responses: { 200: docs && OIDCClient },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['oidc_client.changed'],
    seals: { kinds: ['client'] },
    text:
      docs &&
      describe(() => ({
        description: `Changes the fields of a client that the body contains. They count from the next request of the client on. The \`type\` cannot
be changed.`,
        parameters: { id: idDescription },
        request: [{ summary: 'Longer access tokens', value: { access_token_lifetime: 900 } }],
        responses: { 200: [{ summary: 'The changed client', value: exampleOf(OIDCClient) }] },
      })),
  }),
  deleteOidcClient: defineOperation({
    id: 'delete_oidc_client',
    group: 'oidc-clients',
    method: 'DELETE',
    path: '/api/2/oidc-clients/{id}',
    access: adminBySession,
    summary: 'Delete an OpenID Connect client and end its tokens',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['oidc_client.deleted'],
    seals: { kinds: ['client'] },
    text:
      docs &&
      describe(() => ({
        description: `Deletes a client. Its codes and refresh tokens stop working at once. Its access tokens are no longer active for
introspection and userinfo. Servers that verify them on their own accept them until they expire.`,
        parameters: { id: idDescription },
      })),
  }),
  renewOidcClientSecret: defineOperation({
    id: 'renew_oidc_client_secret',
    group: 'oidc-clients',
    method: 'POST',
    path: '/api/2/oidc-clients/{id}/secret',
    access: adminBySession,
    summary: 'Give an OpenID Connect client a new secret',
    body: OIDCClientSecretRenewal,
    responses: { 200: docs && OIDCClientSecret },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['oidc_client.secret_renewed'],
    text:
      docs &&
      describe(() => ({
        description: `Gives a confidential client a new secret. To replace a secret without an interruption, send \`keep_previous_for\`: until
then, the newest secret before works as well. Older ones work until the time that they were given. So you can repeat the request if its answer got
lost. Give the new secret to the product, then end the others with \`end_oidc_client_secret\`, or let them expire. A client has
${secretsPerHolder} secrets at most: above that, and for a public client, the response is 409. Without \`keep_previous_for\`, all other secrets
stop at once, as after a leak.`,
        parameters: { id: idDescription },
        request: [
          { summary: 'With a day to change over', value: { keep_previous_for: 86_400 } },
          { summary: 'At once, after a leak', value: {} },
        ],
        responses: { 200: [{ summary: 'The new secret', value: exampleOf(OIDCClientSecret) }] },
      })),
  }),
  endOidcClientSecret: defineOperation({
    id: 'end_oidc_client_secret',
    group: 'oidc-clients',
    method: 'DELETE',
    path: '/api/2/oidc-clients/{id}/secrets/{secret_id}',
    access: adminBySession,
    summary: 'End one secret of an OpenID Connect client',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['oidc_client.secret_ended'],
    text:
      docs &&
      describe(() => ({
        description: `Ends one secret of a client at once. Tokens stay valid. Without any secret, a confidential client gets no tokens until its
secret is renewed.`,
        parameters: {
          id: idDescription,
          secret_id: {
            description: 'The ID of the secret, from `client_secrets` of the client.',
            example: 1,
          },
        },
      })),
  }),
  ...protectedApis,
  ...managed,
}
