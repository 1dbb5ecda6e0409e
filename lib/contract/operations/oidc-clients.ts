import * as z from 'zod/mini'
import { adminBySession, adminWithScope } from '../access.ts'
import {
  OIDCClient,
  OIDCClientPartialUpdate,
  OIDCClientSecret,
  OIDCClientUpdate,
  OIDCClientWithSecret,
} from '../models/oidc-clients.ts'
import { writable } from '../models/writable.ts'
import { defineOperation } from '../operation.ts'
import { ordering, paging, queryFilteringMode, querySearch } from '../query.ts'

const view = adminWithScope('oidc-clients:view')

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
    responses: { 200: z.array(OIDCClient) },
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
    responses: { 201: OIDCClientWithSecret },
    errors: ['conflict'],
    recentAuthentication: true,
  }),
  getOidcClient: defineOperation({
    id: 'get_oidc_client',
    group: 'oidc-clients',
    method: 'GET',
    path: '/api/2/oidc-clients/{id}',
    access: view,
    summary: 'Get an OpenID Connect client',
    responses: { 200: OIDCClient },
    errors: ['not_found'],
  }),
  patchOidcClient: defineOperation({
    id: 'patch_oidc_client',
    group: 'oidc-clients',
    method: 'PATCH',
    path: '/api/2/oidc-clients/{id}',
    access: adminBySession,
    summary: 'Update some fields of an OpenID Connect client',
    body: writable(OIDCClientPartialUpdate, OIDCClient),
    responses: { 200: OIDCClient },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
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
  }),
  renewOidcClientSecret: defineOperation({
    id: 'renew_oidc_client_secret',
    group: 'oidc-clients',
    method: 'POST',
    path: '/api/2/oidc-clients/{id}/secret',
    access: adminBySession,
    summary: 'Replace the secret of an OpenID Connect client',
    responses: { 200: OIDCClientSecret },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
  }),
}
