import { adminBySession, bySession, withScope } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { NewOwnOrganization, Organization } from './models.ts'
import { OrganizationPolicy } from './policy.models.ts'

export const organizationPolicy = {
  getOrganizationPolicy: defineOperation({
    id: 'get_organization_policy',
    group: 'organizations',
    method: 'GET',
    path: '/api/2/organization-policy',
    access: withScope('profile:view'),
    summary: 'Get what organizations may do for themselves',
    responses: { 200: docs && OrganizationPolicy },
    text:
      docs &&
      describe(() => ({
        description: 'Gets the policy of organizations.',
        parameters: {},
        responses: { 200: [{ summary: 'The policy', value: exampleOf(OrganizationPolicy) }] },
      })),
  }),
  updateOrganizationPolicy: defineOperation({
    id: 'update_organization_policy',
    group: 'organizations',
    method: 'PUT',
    path: '/api/2/organization-policy',
    access: adminBySession,
    summary: 'Replace what organizations may do for themselves',
    body: OrganizationPolicy,
    responses: { 200: docs && OrganizationPolicy },
    errors: ['conflict'],
    recentAuthentication: true,
    audit: ['organization_policy.changed'],
    seals: { kinds: ['organization_policy'] },
    acceptsIfUnchanged: true,
    text:
      docs &&
      describe(() => ({
        description:
          'Replaces the policy of organizations. An omitted field gets its default. Organizations that exist stay.',
        parameters: {},
        request: [{ summary: 'Everybody creates up to three', value: exampleOf(OrganizationPolicy) }],
        responses: { 200: [{ summary: 'The policy', value: exampleOf(OrganizationPolicy) }] },
      })),
  }),
  createOwnOrganization: defineOperation({
    id: 'create_own_organization',
    group: 'organizations',
    method: 'POST',
    path: '/api/2/users/me/organizations',
    access: bySession,
    summary: 'Create an organization of your own',
    body: NewOwnOrganization,
    responses: { 201: docs && Organization },
    errors: ['conflict'],
    notWhileImpersonating: true,
    audit: ['organization.created', 'organization.member_added'],
    text:
      docs &&
      describe(() => ({
        description: `Creates an organization whose owner is the current user. The policy of organizations has to allow it, and the user needs a confirmed email
address. One more than \`creations_max\` is a 409 with the reason \`too_many_organizations\`, and a slug that another one has or lately had is one, too.`,
        parameters: {},
        request: [{ summary: 'A customer', value: { name: 'Acme Studios', slug: 'acme' } }],
        responses: {
          201: [
            {
              summary: 'The new organization',
              value: { ...exampleOf(Organization), external_id: null, member_limit: null, member_count: 1 },
            },
          ],
        },
      })),
  }),
}
