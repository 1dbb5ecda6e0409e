import { exampleIds } from '../../accounts/example-values.models.ts'
import { adminBySession, byRoleAndSession } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { ScimSettings, ScimState, ScimTokenWithSecret } from './models.ts'

const connectionDescription =
  docs && ({ description: 'The ID of the connection.', example: exampleIds.oidcConnection } as const)
const organizationDescription =
  docs && ({ description: 'The ID of the organization.', example: exampleIds.organization } as const)
const tokenDescription =
  docs && ({ description: 'The ID of the token.', example: exampleIds.scimToken } as const)

/* The function of connections has the same rights on the same items. */
const byAdministrator = { group: 'connections', access: adminBySession } as const
const byManager = {
  group: 'connections',
  tag: 'organizations',
  access: byRoleAndSession('org:sign-in:manage', 'organizations:manage'),
} as const

const ofConnection = '/api/2/auth/connections/{id}/scim'
const ofOrganization = '/api/2/organizations/{id}/sign-in/{connection_id}/scim'

/** How the directories of customers send people and groups, and their tokens. */
export const scim = {
  getConnectionScim: defineOperation({
    ...byAdministrator,
    id: 'get_connection_scim',
    method: 'GET',
    path: ofConnection,
    summary: 'Get what the directory of a company connection sends',
    responses: { 200: docs && ScimState },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: 'Returns how a connection takes people and groups by SCIM 2.0, and how many there are.',
        parameters: { id: connectionDescription },
        responses: { 200: [{ summary: 'The state', value: exampleOf(ScimState) }] },
      })),
  }),
  setConnectionScim: defineOperation({
    ...byAdministrator,
    id: 'set_connection_scim',
    seals: { kinds: ['saml_provider', 'oidc_connection'] },
    method: 'PUT',
    path: ofConnection,
    summary: 'Set what the directory of a company connection may do',
    body: ScimSettings,
    responses: { 200: docs && ScimState },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['scim.changed'],
    text:
      docs &&
      describe(() => ({
        description: `Lets the directory of a customer send people and groups, or stops it. What it has sent stays. People whom it ended stay refused
while it is stopped. A connection to a public provider has no directory: that is a 409.`,
        parameters: { id: connectionDescription },
        request: [{ summary: 'Compare the name of a sign-in with userName', value: exampleOf(ScimSettings) }],
        responses: { 200: [{ summary: 'The state', value: exampleOf(ScimState) }] },
      })),
  }),
  createConnectionScimToken: defineOperation({
    ...byAdministrator,
    id: 'create_connection_scim_token',
    method: 'POST',
    path: `${ofConnection}/tokens`,
    summary: 'Create a token of the directory of a company connection',
    responses: { 201: docs && ScimTokenWithSecret },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['scim.token_created'],
    text:
      docs &&
      describe(() => ({
        description:
          'Creates a token with which the directory sends people and groups. There are up to two, so that one replaces the other without a gap.',
        parameters: { id: connectionDescription },
        responses: {
          201: [{ summary: 'The token with its value', value: exampleOf(ScimTokenWithSecret) }],
        },
      })),
  }),
  deleteConnectionScimToken: defineOperation({
    ...byAdministrator,
    id: 'delete_connection_scim_token',
    method: 'DELETE',
    path: `${ofConnection}/tokens/{token_id}`,
    summary: 'Delete a token of the directory of a company connection',
    responses: { 204: null },
    errors: ['not_found'],
    notWhileImpersonating: true,
    audit: ['scim.token_deleted'],
    text:
      docs &&
      describe(() => ({
        description: 'Deletes a token of a directory. It stops working at once.',
        parameters: { id: connectionDescription, token_id: tokenDescription },
      })),
  }),
  getOrganizationScim: defineOperation({
    ...byManager,
    id: 'get_organization_scim',
    method: 'GET',
    path: ofOrganization,
    summary: 'Get what the directory of an organization sends',
    responses: { 200: docs && ScimState },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Returns what `get_connection_scim` does, for a connection that the organization brought.',
        parameters: { id: organizationDescription, connection_id: connectionDescription },
        responses: { 200: [{ summary: 'The state', value: exampleOf(ScimState) }] },
      })),
  }),
  setOrganizationScim: defineOperation({
    ...byManager,
    id: 'set_organization_scim',
    method: 'PUT',
    path: ofOrganization,
    summary: 'Set what the directory of an organization may do',
    body: ScimSettings,
    responses: { 200: docs && ScimState },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['scim.changed'],
    text:
      docs &&
      describe(() => ({
        description: 'Does what `set_connection_scim` does, for a connection that the organization brought.',
        parameters: { id: organizationDescription, connection_id: connectionDescription },
        request: [{ summary: 'Compare the name of a sign-in with userName', value: exampleOf(ScimSettings) }],
        responses: { 200: [{ summary: 'The state', value: exampleOf(ScimState) }] },
      })),
  }),
  createOrganizationScimToken: defineOperation({
    ...byManager,
    id: 'create_organization_scim_token',
    method: 'POST',
    path: `${ofOrganization}/tokens`,
    summary: 'Create a token of the directory of an organization',
    responses: { 201: docs && ScimTokenWithSecret },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['scim.token_created'],
    text:
      docs &&
      describe(() => ({
        description:
          'Creates a token for a connection that the organization brought. It works after its creator has left, until it is deleted.',
        parameters: { id: organizationDescription, connection_id: connectionDescription },
        responses: {
          201: [{ summary: 'The token with its value', value: exampleOf(ScimTokenWithSecret) }],
        },
      })),
  }),
  deleteOrganizationScimToken: defineOperation({
    ...byManager,
    id: 'delete_organization_scim_token',
    method: 'DELETE',
    path: `${ofOrganization}/tokens/{token_id}`,
    summary: 'Delete a token of the directory of an organization',
    responses: { 204: null },
    errors: ['not_found'],
    notWhileImpersonating: true,
    audit: ['scim.token_deleted'],
    text:
      docs &&
      describe(() => ({
        description: 'Deletes a token of the directory. It stops working at once.',
        parameters: {
          id: organizationDescription,
          connection_id: connectionDescription,
          token_id: tokenDescription,
        },
      })),
  }),
}
