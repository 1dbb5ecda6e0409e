import { exampleIds, exampleTimes } from '../../accounts/example-values.models.ts'
import { byRoleAndSession } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { OrganizationEndingRequest } from './ending.models.ts'
import { Organization } from './models.ts'

const idDescription =
  docs && ({ description: 'The ID of the organization.', example: exampleIds.organization } as const)

export const organizationEnding = {
  requestOrganizationEnding: defineOperation({
    id: 'request_organization_ending',
    group: 'organizations',
    method: 'POST',
    path: '/api/2/organizations/{id}/ending',
    access: byRoleAndSession('org:ending:manage', 'organizations:manage'),
    summary: 'Have an organization deleted after the grace period',
    body: OrganizationEndingRequest,
    responses: { 200: docs && Organization },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['organization.ending_requested'],
    text:
      docs &&
      describe(() => ({
        description: `Asks for the deletion of an organization after \`ending_grace_days\` of the policy of organizations. Until then, it works as before. Its
owners get an email. Repeating the request changes nothing. An organization that is suspended at that time stays until it is active again, and all
stay while the policy has no such days. Without them, the response is 403 with the reason \`ending_off\`.`,
        parameters: { id: idDescription },
        request: [{ summary: 'A request without a dialog', value: exampleOf(OrganizationEndingRequest) }],
        responses: {
          200: [
            {
              summary: 'The organization with its last day',
              value: { ...exampleOf(Organization), ends_at: exampleTimes.end },
            },
          ],
        },
      })),
  }),
  withdrawOrganizationEnding: defineOperation({
    id: 'withdraw_organization_ending',
    group: 'organizations',
    method: 'DELETE',
    path: '/api/2/organizations/{id}/ending',
    access: byRoleAndSession('org:ending:manage', 'organizations:manage'),
    summary: 'Keep an organization that would be deleted',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['organization.ending_withdrawn'],
    text:
      docs &&
      describe(() => ({
        description: `Calls off the deletion that an owner asked for. Without a request, it does nothing.`,
        parameters: { id: idDescription },
      })),
  }),
}
