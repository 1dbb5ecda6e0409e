import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { adminBySession, byRoleAndSession } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { NewConnectionDomain } from './domains.models.ts'
import {
  ConnectionApproval,
  NewOrganizationSignIn,
  NewOrganizationSignInResult,
  OrganizationSignIn,
  OrganizationSignInStop,
  OrganizationSignInsStopped,
} from './organization-sign-in.models.ts'

const idDescription =
  docs && ({ description: 'The ID of the organization.', example: exampleIds.organization } as const)
const connectionDescription =
  docs &&
  ({
    description: 'The ID of a connection of the organization.',
    example: exampleIds.oidcConnection,
  } as const)
const exampleConnection = docs && [{ summary: 'A connection', value: exampleOf(OrganizationSignIn) }]

/* The function of connections has the same rights on the same items. */
const byManager = {
  group: 'connections',
  tag: 'organizations',
  access: byRoleAndSession('org:sign-in:manage', 'organizations:manage'),
} as const

/** Company sign-in that organizations manage themselves. */
export const organizationSignIn = {
  getOrganizationSignIn: defineOperation({
    ...byManager,
    id: 'get_organization_sign_in',
    method: 'GET',
    path: '/api/2/organizations/{id}/sign-in',
    summary: 'List the company connections of an organization',
    responses: { 200: docs && z.array(OrganizationSignIn) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Lists the company connections of an organization with their domains, also those that an administrator of the service manages.',
        parameters: { id: idDescription },
        responses: { 200: [{ summary: 'Connections', value: [exampleOf(OrganizationSignIn)] }] },
      })),
  }),
  createOrganizationSignIn: defineOperation({
    ...byManager,
    id: 'create_organization_sign_in',
    method: 'POST',
    path: '/api/2/organizations/{id}/sign-in',
    summary: 'Bring an identity provider of an organization',
    body: NewOrganizationSignIn,
    responses: { 201: docs && NewOrganizationSignInResult },
    errors: ['not_found', 'conflict', 'too_many_requests'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['saml_provider.created', 'oidc_connection.created', 'saml_setup.link_created'],
    limits: ['domainChecks'],
    text:
      docs &&
      describe(() => ({
        description: `Creates a connection of the organization. Nobody signs in with it before one of its domains is proven, SAML is finished on the page of
\`setup_url\`, and an administrator approved it if \`company_sign_in\` of the policy of organizations is \`ask\`. With \`never\`, the response is a 403
with the reason \`company_sign_in_off\`. It creates accounts only for addresses in its proven domains, and signs nobody in who has rights in
the service. An organization has up to 10 connections.`,
        parameters: { id: idDescription },
        request: [{ summary: 'OpenID Connect', value: exampleOf(NewOrganizationSignIn) }],
        responses: { 201: [{ summary: 'SAML', value: exampleOf(NewOrganizationSignInResult) }] },
      })),
  }),
  deleteOrganizationSignIn: defineOperation({
    ...byManager,
    id: 'delete_organization_sign_in',
    method: 'DELETE',
    path: '/api/2/organizations/{id}/sign-in/{connection_id}',
    summary: 'Delete a company connection that an organization brought',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['saml_provider.deleted', 'oidc_connection.deleted', 'session.ended'],
    text:
      docs &&
      describe(() => ({
        description: `Deletes a connection. Its sessions end, and its domains are free for others, who have to prove them anew. Repeat the request if not all
sessions have ended: 409.`,
        parameters: { id: idDescription, connection_id: connectionDescription },
      })),
  }),
  checkOrganizationDomain: defineOperation({
    ...byManager,
    id: 'check_organization_domain',
    method: 'POST',
    path: '/api/2/organizations/{id}/sign-in/{connection_id}/domains',
    summary: 'Add or check a domain of an organization',
    body: NewConnectionDomain,
    responses: { 200: docs && OrganizationSignIn },
    errors: ['not_found', 'conflict', 'too_many_requests'],
    notWhileImpersonating: true,
    audit: [
      'connection.domain_added',
      'connection.domain_proven',
      'connection.domain_lost',
      'connection.approval_requested',
    ],
    limits: ['domainChecks'],
    text:
      docs &&
      describe(() => ({
        description: `Adds a domain to a connection that the organization brought, or looks for the record of one that it has. The first proof takes a connection
with OpenID Connect live, or asks an administrator to approve it. Of several connections that claim a domain, the first proof gets it.
The others get a 409 until it is released.`,
        parameters: { id: idDescription, connection_id: connectionDescription },
        request: [{ summary: 'A domain', value: exampleOf(NewConnectionDomain) }],
        responses: { 200: docs && exampleConnection },
      })),
  }),
  removeOrganizationDomain: defineOperation({
    ...byManager,
    id: 'remove_organization_domain',
    method: 'DELETE',
    path: '/api/2/organizations/{id}/sign-in/{connection_id}/domains/{domain}',
    summary: 'Release a domain of an organization',
    responses: { 200: docs && OrganizationSignIn },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['connection.domain_removed'],
    text:
      docs &&
      describe(() => ({
        description: `Takes a domain from a connection that the organization brought. Another organization can prove it from then on. Accounts that were
connected by it stay connected.`,
        parameters: {
          id: idDescription,
          connection_id: connectionDescription,
          domain: { description: 'A domain of the connection.', example: 'example.com' },
        },
        responses: { 200: docs && exampleConnection },
      })),
  }),
  stopOrganizationSignIns: defineOperation({
    id: 'stop_organization_sign_ins',
    group: 'connections',
    tag: 'organizations',
    method: 'POST',
    path: '/api/2/organization-policy/sign-ins/stop',
    access: adminBySession,
    summary: 'Stop the company connections that organizations brought',
    body: OrganizationSignInStop,
    responses: { 200: docs && OrganizationSignInsStopped },
    errors: ['conflict'],
    recentAuthentication: true,
    audit: ['connection.stopped', 'session.ended'],
    text:
      docs &&
      describe(() => ({
        description: `Stops all connections that organizations brought and that are live: nobody signs in with one before an administrator approves it again, and
its sessions end. Connections that administrators created go on. The response is a 409 unless \`company_sign_in\` of the policy of
organizations is \`never\`, because organizations could otherwise go on with others. With \`dry_run\`, it only counts.`,
        parameters: {},
        request: [{ summary: 'Count them', value: exampleOf(OrganizationSignInStop) }],
        responses: { 200: [{ summary: 'All of them', value: exampleOf(OrganizationSignInsStopped) }] },
      })),
  }),
  approveConnection: defineOperation({
    id: 'approve_connection',
    group: 'connections',
    method: 'POST',
    path: '/api/2/auth/connections/{id}/approval',
    access: adminBySession,
    summary: 'Approve the company connection of an organization',
    body: ConnectionApproval,
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['connection.approved'],
    text:
      docs &&
      describe(() => ({
        description: `Takes a connection live that an organization brought and finished, of either kind. Name the identity provider and the proven domains that
you approve. If the organization changed them since, or the connection does not wait for an approval, the response is a 409.`,
        parameters: {
          id: { description: 'The ID of the connection.', example: exampleIds.oidcConnection },
        },
        request: [{ summary: 'What was seen', value: exampleOf(ConnectionApproval) }],
      })),
  }),
}
