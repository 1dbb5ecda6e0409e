import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { byOrganizationToken, byRoleAndSession } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { writable } from '../../kernel/contract/fields.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { ordering, paging } from '../../kernel/contract/query.ts'
import {
  NewOrganizationToken,
  OrganizationIdentity,
  OrganizationToken,
  OrganizationTokenWithSecret,
} from './tokens.models.ts'

const idDescription =
  docs && ({ description: 'The ID of the organization.', example: exampleIds.organization } as const)

export const organizationTokens = {
  getCurrentOrganization: defineOperation({
    id: 'get_current_organization',
    group: 'organizations',
    method: 'GET',
    path: '/api/2/organizations/current',
    access: byOrganizationToken,
    acceptsOrganization: true,
    summary: 'Get the organization that an API token belongs to',
    responses: { 200: docs && OrganizationIdentity },
    text:
      docs &&
      describe(() => ({
        description: `Returns which organization calls, and what its API token allows. The server of a product asks this with the token that it received.
A header \`Latchkey-Organization\` that names another organization is refused.`,
        parameters: {},
        responses: { 200: [{ summary: 'The organization', value: exampleOf(OrganizationIdentity) }] },
      })),
  }),
  getOrganizationApiTokens: defineOperation({
    id: 'get_organization_api_tokens',
    group: 'organizations',
    method: 'GET',
    path: '/api/2/organizations/{id}/api-tokens',
    access: byRoleAndSession('org:keys:manage', 'organizations:manage'),
    summary: 'List the API tokens of an organization',
    query: z.strictObject({ ordering: ordering(['id']), ...paging }),
    responses: { 200: docs && z.array(OrganizationToken) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Lists the API tokens of an organization without their values, also expired ones, in the order of their IDs.',
        parameters: { id: idDescription },
        responses: { 200: [{ summary: 'API tokens', value: [exampleOf(OrganizationToken)] }] },
      })),
  }),
  createOrganizationApiToken: defineOperation({
    id: 'create_organization_api_token',
    group: 'organizations',
    method: 'POST',
    path: '/api/2/organizations/{id}/api-tokens',
    access: byRoleAndSession('org:keys:manage', 'organizations:manage'),
    summary: 'Create an API token of an organization and return its value once',
    body: writable(NewOrganizationToken, OrganizationTokenWithSecret),
    responses: { 201: docs && OrganizationTokenWithSecret },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['organization.api_token_created'],
    text:
      docs &&
      describe(() => ({
        description: `Creates a credential for a program that acts for the organization, and for no user. It works after its creator has left, until it is
deleted, expires, or the organization is suspended or deleted. A permission that you do not have is a 403. Programs cannot manage API tokens.`,
        parameters: { id: idDescription },
        request: [
          {
            summary: 'A token that edits films',
            value: { name: 'nightly import', permissions: ['films:edit'] },
          },
        ],
        responses: {
          201: [
            { summary: 'The new API token with its value', value: exampleOf(OrganizationTokenWithSecret) },
          ],
        },
      })),
  }),
  deleteOrganizationApiToken: defineOperation({
    id: 'delete_organization_api_token',
    group: 'organizations',
    method: 'DELETE',
    path: '/api/2/organizations/{id}/api-tokens/{token_id}',
    access: byRoleAndSession('org:keys:manage', 'organizations:manage'),
    summary: 'Delete an API token of an organization',
    responses: { 204: null },
    errors: ['not_found'],
    notWhileImpersonating: true,
    audit: ['organization.api_token_deleted'],
    text:
      docs &&
      describe(() => ({
        description: 'Deletes an API token of an organization. It stops working at once.',
        parameters: {
          id: idDescription,
          token_id: { description: 'The ID of the API token.', example: exampleIds.organizationToken },
        },
      })),
  }),
}
