import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { byRoleOrToken } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { ordering, paging } from '../../kernel/contract/query.ts'
import { OrganizationLink } from './organization.models.ts'

const idDescription =
  docs && ({ description: 'The ID of the organization.', example: exampleIds.organization } as const)

/** Operations on the access links that were made in the name of an organization. */
export const organizationLinks = {
  getOrganizationLinks: defineOperation({
    id: 'get_organization_links',
    group: 'access-links',
    tag: 'organizations',
    method: 'GET',
    path: '/api/2/organizations/{id}/links',
    access: byRoleOrToken('org:links:manage', 'organizations:view'),
    summary: 'List the access links of an organization',
    query: z.strictObject({ ordering: ordering(['id']), ...paging }),
    responses: { 200: docs && z.array(OrganizationLink) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Lists the access links that members made in the name of the organization, in the order of their IDs. Links of former members and
links that have ended are in the list until they are deleted. No response contains the value of a link, so nobody can open the links of others.`,
        parameters: { id: idDescription },
        responses: { 200: [{ summary: 'Access links', value: [exampleOf(OrganizationLink)] }] },
      })),
  }),
  deleteOrganizationLink: defineOperation({
    id: 'delete_organization_link',
    group: 'access-links',
    tag: 'organizations',
    method: 'DELETE',
    path: '/api/2/organizations/{id}/links/{link_id}',
    access: byRoleOrToken('org:links:manage', 'organizations:manage'),
    summary: 'Delete an access link of an organization',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    audit: ['access_token.deleted', 'user.deleted'],
    text:
      docs &&
      describe(() => ({
        description: `Deletes an access link that was made in the name of the organization, also one of a former member. The link and the sessions that it
opened stop working at once. A link of another organization, or of none, is a 404.`,
        parameters: {
          id: idDescription,
          link_id: { description: 'The ID of the access link.', example: exampleIds.accessLink },
        },
      })),
  }),
}
