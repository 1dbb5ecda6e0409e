import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import {
  adminBySession,
  byRole,
  byRoleOrToken,
  bySession,
  withPermission,
  withScope,
} from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { filteringMode, userIdDescription } from '../../kernel/contract/descriptions/common-texts.ts'
import { writable } from '../../kernel/contract/fields.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import {
  ordering,
  paging,
  queryBoolean,
  queryFilteringMode,
  querySearch,
  queryText,
} from '../../kernel/contract/query.ts'
import { organizationEmailTexts } from '../mail/own-texts/organization.operations.ts'
import { organizationBranding } from './branding.operations.ts'
import { organizationEnding } from './ending.operations.ts'
import { organizationEventOperations } from './events.operations.ts'
import { organizationInvitations } from './invitations.operations.ts'
import {
  NewOrganization,
  NewOrganizationMember,
  Organization,
  OrganizationChanges,
  OrganizationMember,
  OrganizationMemberChanges,
  OrganizationRoles,
  OwnOrganization,
} from './models.ts'
import { organizationPolicy } from './policy.operations.ts'

const idDescription =
  docs && ({ description: 'The ID of the organization.', example: exampleIds.organization } as const)
const memberIdDescription =
  docs && ({ description: 'The ID of the user who is a member.', example: exampleIds.user } as const)

export const organizations = {
  getAllOrganizations: defineOperation({
    id: 'get_all_organizations',
    group: 'organizations',
    method: 'GET',
    path: '/api/2/organizations',
    access: withPermission('organizations:view'),
    summary: 'List organizations',
    query: z.strictObject({
      slug: z.optional(queryText),
      external_id: z.optional(queryText),
      filter: z.optional(querySearch),
      filtering_mode: queryFilteringMode,
      ordering: ordering(['id', 'slug']),
      ...paging,
    }),
    responses: { 200: docs && z.array(Organization) },
    text:
      docs &&
      describe(() => ({
        description: 'Lists organizations, or finds one by its slug or its ID in the system of your product.',
        parameters: {
          slug: { description: 'Only the organization that has this slug now.', example: 'acme' },
          external_id: {
            description: 'Only the organization with this ID in the system of the product.',
            example: 'crm-4711',
          },
          filter: {
            description: 'A text to search for in names and slugs. An empty text selects all organizations.',
            example: 'studio',
          },
          filtering_mode: filteringMode,
        },
        responses: { 200: [{ summary: 'Organizations', value: [exampleOf(Organization)] }] },
      })),
  }),
  createOrganization: defineOperation({
    id: 'create_organization',
    group: 'organizations',
    method: 'POST',
    path: '/api/2/organizations',
    access: withPermission('organizations:manage'),
    summary: 'Create an organization',
    body: writable(NewOrganization, Organization),
    responses: { 201: docs && Organization },
    errors: ['conflict'],
    audit: ['organization.created'],
    text:
      docs &&
      describe(() => ({
        description: `Creates an organization without members. Add its first owner with \`create_organization_member\`. A slug or an external ID that another
organization has, or had in the last year, is a 409.`,
        parameters: {},
        request: [{ summary: 'A customer', value: { name: 'Acme Studios', slug: 'acme' } }],
        responses: {
          201: [
            {
              summary: 'The new organization',
              value: { ...exampleOf(Organization), member_count: 0, is_ownerless: true },
            },
          ],
        },
      })),
  }),
  getOrganization: defineOperation({
    id: 'get_organization',
    group: 'organizations',
    method: 'GET',
    path: '/api/2/organizations/{id}',
    access: byRoleOrToken('membership', 'organizations:view'),
    summary: 'Get an organization',
    responses: { 200: docs && Organization },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: 'Gets an organization.',
        parameters: { id: idDescription },
        responses: { 200: [{ summary: 'An organization', value: exampleOf(Organization) }] },
      })),
  }),
  patchOrganization: defineOperation({
    id: 'patch_organization',
    group: 'organizations',
    method: 'PATCH',
    path: '/api/2/organizations/{id}',
    access: byRoleOrToken('org:settings:manage', 'organizations:manage'),
    summary: 'Update an organization',
    body: writable(OrganizationChanges, Organization),
    responses: { 200: docs && Organization },
    errors: ['not_found', 'conflict'],
    audit: ['organization.changed'],
    acceptsIfUnchanged: true,
    text:
      docs &&
      describe(() => ({
        description: `Changes the fields that the body contains. Members change the name, and twice in 30 days the slug. An organization keeps up to three former
slugs for a year each. The ID in the system of the product, the state and the limit are for holders of \`organizations:manage\`.`,
        parameters: { id: idDescription },
        request: [{ summary: 'Another name', value: { name: 'Acme Film Studios' } }],
        responses: { 200: [{ summary: 'The changed organization', value: exampleOf(Organization) }] },
      })),
  }),
  deleteOrganization: defineOperation({
    id: 'delete_organization',
    group: 'organizations',
    method: 'DELETE',
    path: '/api/2/organizations/{id}',
    access: byRole('none', 'organizations:manage'),
    summary: 'Delete an organization',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['organization.deleted'],
    text:
      docs &&
      describe(() => ({
        description: `Deletes an organization. All memberships end at once, and its tokens stop working. The users stay, and its slug stays reserved for a year.
Suspend an organization instead if it may return.`,
        parameters: { id: idDescription },
      })),
  }),
  releaseOrganizationSlug: defineOperation({
    id: 'release_organization_slug',
    group: 'organizations',
    method: 'DELETE',
    path: '/api/2/organization-slugs/{slug}',
    access: withPermission('organizations:manage'),
    summary: 'Release a former slug',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    audit: ['organization.slug_released'],
    text:
      docs &&
      describe(() => ({
        description: `Lets other organizations have a slug that one had before the year is over, also if that one was deleted. The slug that an organization
has now cannot be released.`,
        parameters: {
          slug: { description: 'A former slug, or one that looks like it.', example: 'acme-films' },
        },
      })),
  }),
  getOrganizationMembers: defineOperation({
    id: 'get_organization_members',
    group: 'organizations',
    method: 'GET',
    path: '/api/2/organizations/{id}/members',
    access: byRoleOrToken('org:members:view', 'organizations:view'),
    summary: 'List the members of an organization',
    query: z.strictObject({
      email: z.optional(queryText),
      filter: z.optional(querySearch),
      role: z.optional(queryText),
      ordering: ordering(['id']),
      ...paging,
    }),
    responses: { 200: docs && z.array(OrganizationMember) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Lists the members of an organization with their roles, in the order of their IDs. A search examines up to 1,000 members for each request.
If few of them match, the page is short or empty, and its \`Link\` header leads on.`,
        parameters: {
          id: idDescription,
          email: {
            description: 'Only the member with exactly this email address.',
            example: 'ada@example.com',
          },
          filter: {
            description:
              'Only members whose username, name or email address contains all of these words. A full address of a member finds them at once. An empty text selects all members.',
            example: 'lovelace',
          },
          role: { description: 'Only members with this role.', example: 'owner' },
        },
        responses: { 200: [{ summary: 'Members', value: [exampleOf(OrganizationMember)] }] },
      })),
  }),
  createOrganizationMember: defineOperation({
    id: 'create_organization_member',
    group: 'organizations',
    method: 'POST',
    path: '/api/2/organizations/{id}/members',
    access: byRole('none', 'organizations:manage'),
    summary: 'Add a member to an organization',
    body: NewOrganizationMember,
    responses: { 201: docs && OrganizationMember },
    errors: ['not_found', 'conflict'],
    audit: ['organization.member_added'],
    text:
      docs &&
      describe(() => ({
        description: `Makes a user a member at once, without asking them. A member, or one more than \`member_limit\`, is a 409.`,
        parameters: { id: idDescription },
        request: [
          { summary: 'The first owner', value: { user: exampleIds.administrator, roles: ['owner'] } },
        ],
        responses: { 201: [{ summary: 'The new member', value: exampleOf(OrganizationMember) }] },
      })),
  }),
  patchOrganizationMember: defineOperation({
    id: 'patch_organization_member',
    group: 'organizations',
    method: 'PATCH',
    path: '/api/2/organizations/{id}/members/{user_id}',
    access: byRoleOrToken('org:members:manage', 'organizations:manage'),
    summary: 'Change the roles of a member',
    body: writable(OrganizationMemberChanges, OrganizationMember),
    responses: { 200: docs && OrganizationMember },
    errors: ['not_found', 'conflict'],
    localChange: 'refused',
    audit: ['organization.member_changed'],
    acceptsIfUnchanged: true,
    text:
      docs &&
      describe(() => ({
        description: `Replaces the roles of a member. Members give and take only what their own roles allow, and only an owner changes owners. The last owner
stays one: 409 with the reason \`last_owner\`. Holders of \`organizations:manage\` have neither limit.`,
        parameters: { id: idDescription, user_id: memberIdDescription },
        request: [{ summary: 'An administrator', value: { roles: ['admin'] } }],
        responses: { 200: [{ summary: 'The changed member', value: exampleOf(OrganizationMember) }] },
      })),
  }),
  recountOrganization: defineOperation({
    id: 'recount_organization',
    group: 'organizations',
    method: 'POST',
    path: '/api/2/organizations/{id}/recount',
    access: byRole('none', 'organizations:manage'),
    summary: 'Count the members of an organization again',
    responses: { 200: docs && Organization },
    errors: ['not_found'],
    audit: ['organization.recounted'],
    text:
      docs &&
      describe(() => ({
        description: `Compares \`member_count\` and \`is_ownerless\` with the members, and repairs them if they are wrong. A job does it once a day. Joining and
leaving keep them right, so they can differ only after a restore.`,
        parameters: { id: idDescription },
        responses: {
          200: [{ summary: 'The organization with the right counts', value: exampleOf(Organization) }],
        },
      })),
  }),
  removeOrganizationMember: defineOperation({
    id: 'remove_organization_member',
    group: 'organizations',
    method: 'DELETE',
    path: '/api/2/organizations/{id}/members/{user_id}',
    access: byRoleOrToken('org:members:manage', 'organizations:manage'),
    summary: 'Remove a member from an organization',
    query: z.strictObject({ keep_out: z.optional(queryBoolean) }),
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    audit: ['organization.member_removed'],
    text:
      docs &&
      describe(() => ({
        description: `Ends a membership at once, with all that the user made in the organization except its API tokens: if they join again, old tokens, links and
invitations stay ended. The account of the user stays. The rules of \`patch_organization_member\` hold.`,
        parameters: {
          id: idDescription,
          user_id: memberIdDescription,
          keep_out: {
            description:
              'Whether the user does not become a member again by signing in with the company sign-in of the organization. Only an invitation, or an administrator, lets them in again. Default: false.',
            example: 'true',
          },
        },
      })),
  }),
  getOwnOrganizations: defineOperation({
    id: 'get_own_organizations',
    group: 'organizations',
    method: 'GET',
    path: '/api/2/users/me/organizations',
    access: withScope('profile:view'),
    allowsOrganizationSession: true,
    summary: "List the current user's organizations",
    query: z.strictObject({ ordering: ordering(['id']), ...paging }),
    responses: { 200: docs && z.array(OwnOrganization) },
    text:
      docs &&
      describe(() => ({
        description: 'Lists the organizations of the current user, with their roles in each.',
        parameters: {},
        responses: { 200: [{ summary: 'Organizations', value: [exampleOf(OwnOrganization)] }] },
      })),
  }),
  leaveOrganization: defineOperation({
    id: 'leave_organization',
    group: 'organizations',
    method: 'DELETE',
    path: '/api/2/users/me/organizations/{id}',
    access: bySession,
    summary: 'Leave an organization',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    audit: ['organization.member_removed'],
    text:
      docs &&
      describe(() => ({
        description: `Ends the membership of the current user at once. The last owner cannot leave: 409 with the reason \`last_owner\`.`,
        parameters: { id: idDescription },
      })),
  }),
  getUserOrganizations: defineOperation({
    id: 'get_user_organizations',
    group: 'organizations',
    method: 'GET',
    path: '/api/2/users/{id}/organizations',
    access: withPermission('organizations:view'),
    summary: "List a user's organizations",
    query: z.strictObject({ ordering: ordering(['id']), ...paging }),
    responses: { 200: docs && z.array(OwnOrganization) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: 'Lists the organizations of a user, with their roles in each.',
        parameters: { id: userIdDescription },
        responses: { 200: [{ summary: 'Organizations', value: [exampleOf(OwnOrganization)] }] },
      })),
  }),
  getOrganizationRoles: defineOperation({
    id: 'get_organization_roles',
    group: 'organizations',
    method: 'GET',
    path: '/api/2/organization-roles',
    access: withScope('profile:view'),
    allowsOrganizationSession: true,
    summary: 'Get the roles that members of organizations can have',
    responses: { 200: docs && OrganizationRoles },
    text:
      docs &&
      describe(() => ({
        description: `Gets the roles that the service declares. \`owner\`, \`admin\` and \`member\` exist without an entry: owners may do everything in their
organization, admins all except company sign-in, API tokens and its end, and members nothing that this service checks.`,
        parameters: {},
        responses: { 200: [{ summary: 'Roles', value: exampleOf(OrganizationRoles) }] },
      })),
  }),
  updateOrganizationRoles: defineOperation({
    id: 'update_organization_roles',
    group: 'organizations',
    method: 'PUT',
    path: '/api/2/organization-roles',
    access: adminBySession,
    summary: 'Declare the roles that members of organizations can have',
    body: OrganizationRoles,
    responses: { 200: docs && OrganizationRoles },
    errors: ['conflict'],
    recentAuthentication: true,
    audit: ['organization_roles.changed'],
    seals: { kinds: ['organization_roles'] },
    text:
      docs &&
      describe(() => ({
        description: `Replaces the declared roles. Changes take effect at once in all organizations. Members keep the keys of removed roles, which allow
nothing.`,
        parameters: {},
        request: [{ summary: 'A role of a product', value: exampleOf(OrganizationRoles) }],
        responses: { 200: [{ summary: 'The declared roles', value: exampleOf(OrganizationRoles) }] },
      })),
  }),
  ...organizationEnding,
  ...organizationBranding,
  ...organizationEmailTexts,
  ...organizationEventOperations,
  ...organizationInvitations,
  ...organizationPolicy,
}
