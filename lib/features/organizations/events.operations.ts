import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { byRoleOrToken } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { givenDateTime } from '../../kernel/contract/fields.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { ordering, paging, queryNames } from '../../kernel/contract/query.ts'
import { OrganizationEvent } from './events.models.ts'

export const organizationEventOperations = {
  getOrganizationEvents: defineOperation({
    id: 'get_organization_events',
    group: 'organizations',
    method: 'GET',
    path: '/api/2/organizations/{id}/events',
    access: byRoleOrToken('org:events:view', 'organizations:view'),
    summary: 'List what happened in an organization, newest first',
    query: z.strictObject({
      event: z.optional(queryNames),
      since: z.optional(givenDateTime),
      until: z.optional(givenDateTime),
      ordering: ordering(['created_at'], '-created_at'),
      ...paging,
    }),
    responses: { 200: docs && z.array(OrganizationEvent) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Lists changes of the organization, its members, invitations, API tokens, access links and company sign-in. An event appears within two minutes, and is
kept as long as the audit events of the service. A request examines up to 1,000 events. If few of them match, the page is short or empty, and
its \`Link\` header leads on.

Usernames are only those of members. Who acts for the service is not named.`,
        parameters: {
          id: { description: 'The ID of the organization.', example: exampleIds.organization },
          event: {
            description:
              'Only events with one of these names, separated by commas. Each name must be complete. A name that organizations do not have is a 400.',
            example: 'organization.member_added,organization.member_removed',
          },
          since: {
            description: 'Only events at or after this time, in ISO 8601.',
            example: '2026-11-01T00:00:00Z',
          },
          until: {
            description: 'Only events before this time, in ISO 8601.',
            example: '2026-12-01T00:00:00Z',
          },
        },
        responses: { 200: [{ summary: 'A member got another role', value: [exampleOf(OrganizationEvent)] }] },
      })),
  }),
}
