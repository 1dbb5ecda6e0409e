import { oidcClientsMax } from '../../../limits/limits.ts'
import {
  OIDCClient,
  OIDCClientSecret,
  OIDCClientUpdate,
  OIDCClientWithSecret,
} from '../../models/oidc-clients.ts'
import type { oidcClients } from '../../operations/oidc-clients.ts'
import type { OperationTexts } from '../describe.ts'
import { exampleOf } from '../example-of.ts'
import { exampleIds } from '../example-values.ts'
import { filteringMode } from '../filtering-mode.ts'

const id = {
  description: 'The ID of the client, not its `client_id`.',
  example: exampleIds.oidcClient,
} as const

export const oidcClientsTexts: OperationTexts<typeof oidcClients> = {
  getAllOidcClients: {
    description: 'Lists the registered clients without their secrets.',
    parameters: {
      filter: {
        description: 'A text to search for in the names of clients. An empty text selects all clients.',
        example: 'shop',
      },
      filtering_mode: filteringMode,
    },
    responses: { 200: [{ summary: 'OpenID Connect clients', value: [exampleOf(OIDCClient)] }] },
  },
  createOidcClient: {
    description: `Registers a product that signs its users in by OpenID Connect. Store \`client_secret\` of the response in a safe place. No
later response contains it.

Users are not asked for consent, so register only products that you trust. There can be ${oidcClientsMax.toLocaleString('en-US')} clients. A taken name is a
409. The audit event is \`oidc_client.created\`.`,
    parameters: {},
    request: [
      { summary: 'A server', value: exampleOf(OIDCClientUpdate) },
      {
        summary: 'An app without a secret',
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
  },
  getOidcClient: {
    description: 'Gets a client without its secret.',
    parameters: { id },
    responses: { 200: [{ summary: 'An OpenID Connect client', value: exampleOf(OIDCClient) }] },
  },
  patchOidcClient: {
    description: `Changes the fields of a client that the body contains. They count from the next request of the client on. The \`type\` cannot
be changed. The audit event is \`oidc_client.changed\`.`,
    parameters: { id },
    request: [{ summary: 'Longer access tokens', value: { access_token_lifetime: 900 } }],
    responses: { 200: [{ summary: 'The changed client', value: exampleOf(OIDCClient) }] },
  },
  deleteOidcClient: {
    description: `Deletes a client. Its codes and refresh tokens stop working at once. Its access tokens are no longer active for
introspection and userinfo. Servers that verify them on their own accept them until they expire. The audit event is
\`oidc_client.deleted\`.`,
    parameters: { id },
  },
  renewOidcClientSecret: {
    description: `Replaces the secret of a confidential client. The secret before stops working at once, so give the new one to the product
without delay. For a public client, the response is 409. The audit event is \`oidc_client.secret_renewed\`.`,
    parameters: { id },
    responses: { 200: [{ summary: 'The new secret', value: exampleOf(OIDCClientSecret) }] },
  },
}
