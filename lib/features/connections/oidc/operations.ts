import * as z from 'zod/mini'
import { adminBySession, adminWithScope } from '../../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import { listReservedFrom } from '../../../kernel/contract/field-rights.ts'
import { writable } from '../../../kernel/contract/fields.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import { ordering, paging } from '../../../kernel/contract/query.ts'
import { OIDCConnection, OIDCConnectionCreate, OIDCConnectionPartialUpdate, oidcFields } from './models.ts'

const idDescription =
  docs && ({ description: 'The ID of the OpenID Connect connection.', example: 3 } as const)

/*
 * They belong to the function of SAML providers. It has the same rights on the same items, and a function for few rare
 * operations would cost the stack five more resources.
 */
export const oidcConnections = {
  listOidcConnections: defineOperation({
    id: 'list_oidc_connections',
    group: 'connections',
    tag: 'oidc-connections',
    method: 'GET',
    path: '/api/2/auth/oidc-connections',
    access: adminWithScope('saml-providers:manage'),
    summary: 'List OpenID Connect connections',
    query: z.strictObject({ ordering: ordering(['id', 'name']), ...paging }),
    responses: { 200: docs && z.array(OIDCConnection) },
    text:
      docs &&
      describe(() => ({
        description:
          'Lists the connections to identity providers of organizations over OpenID Connect. The client secret is never part of a response.',
        parameters: {},
        responses: { 200: [{ summary: 'OpenID Connect connections', value: [exampleOf(OIDCConnection)] }] },
      })),
  }),
  createOidcConnection: defineOperation({
    id: 'create_oidc_connection',
    group: 'connections',
    tag: 'oidc-connections',
    method: 'POST',
    path: '/api/2/auth/oidc-connections',
    access: adminBySession,
    summary: 'Create an OpenID Connect connection',
    body: writable(OIDCConnectionCreate, OIDCConnection),
    responses: { 201: docs && OIDCConnection },
    errors: ['conflict'],
    recentAuthentication: true,
    audit: ['oidc_connection.created'],
    text:
      docs &&
      describe(() => ({
        description: `Creates a connection to an identity provider. Register \`redirect_uri\` of the response there. The service finds everything else
in the discovery document of the issuer, at the first sign-in.

An issuer of all tenants of Entra ID, such as \`common\`, is refused. With \`auto_create_users\`, a first sign-in creates the
user from \`user_template\`.`,
        parameters: {},
        request: [{ summary: 'A tenant of Entra ID', value: exampleOf(OIDCConnectionCreate) }],
        responses: { 201: [{ summary: 'The new connection', value: exampleOf(OIDCConnection) }] },
      })),
  }),
  getOidcConnection: defineOperation({
    id: 'get_oidc_connection',
    group: 'connections',
    tag: 'oidc-connections',
    method: 'GET',
    path: '/api/2/auth/oidc-connections/{id}',
    access: adminWithScope('saml-providers:manage'),
    summary: 'Get an OpenID Connect connection',
    responses: { 200: docs && OIDCConnection },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: 'Gets an OpenID Connect connection, without its client secret.',
        parameters: { id: idDescription },
        responses: { 200: [{ summary: 'An OpenID Connect connection', value: exampleOf(OIDCConnection) }] },
      })),
  }),
  patchOidcConnection: defineOperation({
    id: 'patch_oidc_connection',
    group: 'connections',
    tag: 'oidc-connections',
    method: 'PATCH',
    path: '/api/2/auth/oidc-connections/{id}',
    access: adminBySession,
    summary: 'Update some fields of an OpenID Connect connection',
    body: writable(OIDCConnectionPartialUpdate, OIDCConnection),
    responses: { 200: docs && OIDCConnection },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['oidc_connection.changed'],
    seals: { kinds: ['oidc_connection'], leaves: listReservedFrom(oidcFields, 'configuration') },
    text:
      docs &&
      describe(() => ({
        description: `Changes the fields of a connection that the body contains. \`"********"\` as \`client_secret\` keeps the secret. A new issuer needs the
secret again. Accounts belong to their issuer: under a new one, everyone connects or is created anew. Existing sessions continue.`,
        parameters: { id: idDescription },
        request: [{ summary: 'Hide the connection', value: exampleOf(OIDCConnectionPartialUpdate) }],
        responses: { 200: [{ summary: 'The changed connection', value: exampleOf(OIDCConnection) }] },
      })),
  }),
  deleteOidcConnection: defineOperation({
    id: 'delete_oidc_connection',
    group: 'connections',
    tag: 'oidc-connections',
    method: 'DELETE',
    path: '/api/2/auth/oidc-connections/{id}',
    access: adminBySession,
    summary: 'Delete an OpenID Connect connection and end its sessions',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['session.ended', 'oidc_connection.deleted'],
    seals: { kinds: ['oidc_connection'] },
    text:
      docs &&
      describe(() => ({
        description: `Deletes a connection. No one can sign in through it from this moment, and all sessions that it opened end. The users stay. If
the response is a 409, not all sessions have ended yet: repeat the request.`,
        parameters: { id: idDescription },
      })),
  }),
}
