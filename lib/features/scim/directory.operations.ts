import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { adminBySession, byRoleAndSession } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { ordering, paging } from '../../kernel/contract/query.ts'
import {
  ScimAssignmentRequest,
  ScimCall,
  ScimGroup,
  ScimPerson,
  ScimPreview,
  ScimPreviewRequest,
} from './directory.models.ts'

const connectionDescription =
  docs && ({ description: 'The ID of the connection.', example: exampleIds.oidcConnection } as const)
const organizationDescription =
  docs && ({ description: 'The ID of the organization.', example: exampleIds.organization } as const)

/* The function of connections has the same rights on the same items. */
const byAdministrator = { group: 'connections', access: adminBySession } as const
const byManager = {
  group: 'connections',
  tag: 'organizations',
  access: byRoleAndSession('org:sign-in:manage', 'organizations:manage'),
} as const

const ofConnection = '/api/2/auth/connections/{id}/scim'
const ofOrganization = '/api/2/organizations/{id}/sign-in/{connection_id}/scim'

const listQuery = z.strictObject({ ordering: ordering(['id']), ...paging })

const connectionParameters = docs && { id: connectionDescription }
const organizationParameters =
  docs && ({ id: organizationDescription, connection_id: connectionDescription } as const)

const personDescription =
  docs &&
  ({
    description: 'The ID of the person, as `list_connection_scim_users` has it.',
    example: '0195f2c4-8a00-7c1e-9a3b-5f6d2c1b0a99',
  } as const)

const assignment = {
  method: 'PUT',
  body: ScimAssignmentRequest,
  responses: { 200: docs && ScimPerson },
  errors: ['not_found', 'conflict', 'permission_denied'],
  notWhileImpersonating: true,
  recentAuthentication: true,
  audit: ['scim.user_assigned'],
} as const

const bringingBack = {
  method: 'POST',
  responses: { 200: docs && ScimPerson },
  errors: ['not_found', 'conflict'],
  notWhileImpersonating: true,
  recentAuthentication: true,
  audit: ['scim.user_returned', 'user.changed', 'organization.member_added'],
} as const

/** What the directories of customers have sent, and what a request would do. */
export const scimDirectory = {
  listConnectionScimUsers: defineOperation({
    ...byAdministrator,
    id: 'list_connection_scim_users',
    method: 'GET',
    path: `${ofConnection}/users`,
    summary: 'List the people of the directory of a company connection',
    query: listQuery,
    responses: { 200: docs && z.array(ScimPerson) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Lists whom the directory sent, with their accounts and what their addresses are used for. The first one is the one that was sent first.',
        parameters: connectionParameters,
        responses: { 200: [{ summary: 'One person', value: [exampleOf(ScimPerson)] }] },
      })),
  }),
  listConnectionScimGroups: defineOperation({
    ...byAdministrator,
    id: 'list_connection_scim_groups',
    method: 'GET',
    path: `${ofConnection}/groups`,
    summary: 'List the groups of the directory of a company connection',
    query: listQuery,
    responses: { 200: docs && z.array(ScimGroup) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Lists the groups that the directory sent. The first one is the one that was sent first.',
        parameters: connectionParameters,
        responses: { 200: [{ summary: 'One group', value: [exampleOf(ScimGroup)] }] },
      })),
  }),
  listConnectionScimCalls: defineOperation({
    ...byAdministrator,
    id: 'list_connection_scim_calls',
    method: 'GET',
    path: `${ofConnection}/calls`,
    summary: 'List the last requests of the directory of a company connection',
    responses: { 200: docs && z.array(ScimCall) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Lists the last 200 requests of the last seven days, the newest first, with what to do about each. Requests without a valid token are not listed.',
        parameters: connectionParameters,
        responses: { 200: [{ summary: 'A refused request', value: [exampleOf(ScimCall)] }] },
      })),
  }),
  previewConnectionScim: defineOperation({
    ...byAdministrator,
    id: 'preview_connection_scim',
    method: 'POST',
    path: `${ofConnection}/preview`,
    summary: 'Find out what a request of the directory of a company connection would do',
    body: ScimPreviewRequest,
    responses: { 200: docs && ScimPreview },
    errors: ['not_found', 'conflict'],
    text:
      docs &&
      describe(() => ({
        description:
          'Checks a request as if the directory sent it, and returns what would happen. Nothing changes.',
        parameters: connectionParameters,
        request: [{ summary: 'A new person', value: exampleOf(ScimPreviewRequest) }],
        responses: { 200: [{ summary: 'They would be created', value: exampleOf(ScimPreview) }] },
      })),
  }),
  assignConnectionScimUser: defineOperation({
    ...byAdministrator,
    ...assignment,
    id: 'assign_connection_scim_user',
    path: `${ofConnection}/users/{person}/account`,
    summary: 'Say whose account a person of the directory of a company connection is',
    text:
      docs &&
      describe(() => ({
        description: `For somebody who came back with another name at the identity provider. Otherwise they are a new person. The directory then
manages the account, and the next sign-in of the person opens it, once. From then on the new name leads to it, and the old one no longer does. If the directory had disabled
the account, that sign-in enables it.

It is a 409 if the directory ended the person, if the person has another account, if another person of the directory is this account, or if this
connection never led to it.`,
        parameters: { id: connectionDescription, person: personDescription },
        request: [{ summary: 'The account that they had', value: exampleOf(ScimAssignmentRequest) }],
        responses: { 200: [{ summary: 'The person', value: exampleOf(ScimPerson) }] },
      })),
  }),
  assignOrganizationScimUser: defineOperation({
    ...byManager,
    ...assignment,
    id: 'assign_organization_scim_user',
    path: `${ofOrganization}/users/{person}/account`,
    summary: 'Say whose account a person of the directory of an organization is',
    text:
      docs &&
      describe(() => ({
        description: `Does what \`assign_connection_scim_user\` does, for a connection that the organization brought. The account needs an account at
the identity provider of this connection. Only administrators assign accounts with \`system:admin-access\` or \`users:manage\`.`,
        parameters: {
          id: organizationDescription,
          connection_id: connectionDescription,
          person: personDescription,
        },
        request: [{ summary: 'The account that they had', value: exampleOf(ScimAssignmentRequest) }],
        responses: { 200: [{ summary: 'The person', value: exampleOf(ScimPerson) }] },
      })),
  }),
  bringBackConnectionScimUser: defineOperation({
    ...byAdministrator,
    ...bringingBack,
    id: 'bring_back_connection_scim_user',
    path: `${ofConnection}/users/{person}/bring-back`,
    summary: 'Bring back somebody whom the directory of a company connection ended',
    text:
      docs &&
      describe(() => ({
        description: `For a directory that ended people by mistake. The person gets back what the directory's own act ended: the account, the
identity and the memberships, and no session, token or link. A person who is active stays so. The directory can end them again.

It is a 409 if an administrator, an owner, a report or a suspension ended them. They are not brought back here.`,
        parameters: { id: connectionDescription, person: personDescription },
        responses: { 200: [{ summary: 'The person', value: exampleOf(ScimPerson) }] },
      })),
  }),
  bringBackOrganizationScimUser: defineOperation({
    ...byManager,
    ...bringingBack,
    id: 'bring_back_organization_scim_user',
    path: `${ofOrganization}/users/{person}/bring-back`,
    summary: 'Bring back somebody whom the directory of an organization ended',
    text:
      docs &&
      describe(() => ({
        description:
          'Does what `bring_back_connection_scim_user` does, for a connection that the organization brought.',
        parameters: {
          id: organizationDescription,
          connection_id: connectionDescription,
          person: personDescription,
        },
        responses: { 200: [{ summary: 'The person', value: exampleOf(ScimPerson) }] },
      })),
  }),
  listOrganizationScimUsers: defineOperation({
    ...byManager,
    id: 'list_organization_scim_users',
    method: 'GET',
    path: `${ofOrganization}/users`,
    summary: 'List the people of the directory of an organization',
    query: listQuery,
    responses: { 200: docs && z.array(ScimPerson) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Lists what `list_connection_scim_users` does, for a connection that the organization brought.',
        parameters: organizationParameters,
        responses: { 200: [{ summary: 'One person', value: [exampleOf(ScimPerson)] }] },
      })),
  }),
  listOrganizationScimGroups: defineOperation({
    ...byManager,
    id: 'list_organization_scim_groups',
    method: 'GET',
    path: `${ofOrganization}/groups`,
    summary: 'List the groups of the directory of an organization',
    query: listQuery,
    responses: { 200: docs && z.array(ScimGroup) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Lists what `list_connection_scim_groups` does, for a connection that the organization brought.',
        parameters: organizationParameters,
        responses: { 200: [{ summary: 'One group', value: [exampleOf(ScimGroup)] }] },
      })),
  }),
  listOrganizationScimCalls: defineOperation({
    ...byManager,
    id: 'list_organization_scim_calls',
    method: 'GET',
    path: `${ofOrganization}/calls`,
    summary: 'List the last requests of the directory of an organization',
    responses: { 200: docs && z.array(ScimCall) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Lists what `list_connection_scim_calls` does, for a connection that the organization brought.',
        parameters: organizationParameters,
        responses: { 200: [{ summary: 'A refused request', value: [exampleOf(ScimCall)] }] },
      })),
  }),
  previewOrganizationScim: defineOperation({
    ...byManager,
    id: 'preview_organization_scim',
    method: 'POST',
    path: `${ofOrganization}/preview`,
    summary: 'Find out what a request of the directory of an organization would do',
    body: ScimPreviewRequest,
    responses: { 200: docs && ScimPreview },
    errors: ['not_found', 'conflict'],
    text:
      docs &&
      describe(() => ({
        description:
          'Does what `preview_connection_scim` does, for a connection that the organization brought.',
        parameters: organizationParameters,
        request: [{ summary: 'A new person', value: exampleOf(ScimPreviewRequest) }],
        responses: { 200: [{ summary: 'They would be created', value: exampleOf(ScimPreview) }] },
      })),
  }),
}
