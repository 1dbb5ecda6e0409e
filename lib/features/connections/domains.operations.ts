import * as z from 'zod/mini'
import { adminBySession, adminWithScope } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { domainsPerProvider } from '../../kernel/limits/connection-limits.ts'
import { ConnectionDomain, NewConnectionDomain } from './domains.models.ts'

const idDescription =
  docs &&
  ({
    description: 'The ID of the connection.',
    example: 2,
  } as const)
const domainDescription =
  docs &&
  ({
    description: 'A domain of the connection, from `get_connection_domains`.',
    example: 'example.com',
  } as const)
const parameters = { id: idDescription, domain: domainDescription }

/** The email domains of identity providers. */
export const connectionDomains = {
  getConnectionDomains: defineOperation({
    id: 'get_connection_domains',
    group: 'connections',
    method: 'GET',
    path: '/api/2/auth/connections/{id}/domains',
    access: adminWithScope('saml-providers:manage'),
    summary: 'List the email domains of a company connection',
    responses: { 200: docs && z.array(ConnectionDomain) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Lists the domains of an identity provider, in the order in which they were added, with the TXT record that proves each.
There are at most ${domainsPerProvider}.`,
        parameters: { id: idDescription },
        responses: { 200: [{ summary: 'A proven domain', value: [exampleOf(ConnectionDomain)] }] },
      })),
  }),
  createConnectionDomain: defineOperation({
    id: 'create_connection_domain',
    group: 'connections',
    method: 'POST',
    path: '/api/2/auth/connections/{id}/domains',
    access: adminBySession,
    summary: 'Add an email domain to a company connection',
    body: NewConnectionDomain,
    responses: { 201: docs && ConnectionDomain },
    errors: ['not_found', 'conflict', 'too_many_requests'],
    recentAuthentication: true,
    audit: ['connection.domain_added', 'connection.domain_proven', 'connection.approval_requested'],
    limits: ['domainChecks'],
    seals: { kinds: ['saml_provider', 'oidc_connection'] },
    text:
      docs &&
      describe(() => ({
        description: `Adds a domain whose addresses the identity provider may confirm. Publish a TXT record with \`txt_name\` and \`txt_value\` of the
response, then call \`check_connection_domain\`. Without a call, the service finds the record within a day. From then on, the
addresses of the provider in exactly this domain count as verified. A first sign-in with such an address is connected to the
account that has it.

A domain that a provider has already is a 409.`,
        parameters: { id: idDescription },
        request: [{ summary: 'A domain', value: exampleOf(NewConnectionDomain) }],
        responses: {
          201: [
            {
              summary: 'The domain, which is not proven yet',
              value: { ...exampleOf(ConnectionDomain), state: 'pending', proven_at: null },
            },
          ],
        },
      })),
  }),
  checkConnectionDomain: defineOperation({
    id: 'check_connection_domain',
    group: 'connections',
    method: 'POST',
    path: '/api/2/auth/connections/{id}/domains/{domain}/check',
    access: adminBySession,
    summary: 'Check the TXT record of an email domain now',
    responses: { 200: docs && ConnectionDomain },
    errors: ['not_found', 'conflict', 'too_many_requests'],
    recentAuthentication: true,
    audit: ['connection.domain_proven', 'connection.domain_lost', 'connection.approval_requested'],
    limits: ['domainChecks'],
    text:
      docs &&
      describe(() => ({
        description: `Looks up the TXT record of a domain. If it is found, the domain is \`proven\`. If it is missing, a proven domain is \`lost\`: no more
accounts are connected by it, and its addresses no longer count as verified. Users who are connected still sign in. If
the DNS does not answer, nothing changes. The service checks all domains every day.`,
        parameters,
        responses: { 200: [{ summary: 'The proven domain', value: exampleOf(ConnectionDomain) }] },
      })),
  }),
  vouchForConnectionDomain: defineOperation({
    id: 'vouch_for_connection_domain',
    group: 'connections',
    method: 'POST',
    path: '/api/2/auth/connections/{id}/domains/{domain}/vouch',
    access: adminBySession,
    summary: 'Vouch for an email domain without a TXT record',
    responses: { 200: docs && ConnectionDomain },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['connection.domain_vouched'],
    text:
      docs &&
      describe(() => ({
        description: `Lets a domain count without a proof. The identity provider can then sign in as the users with an address in this domain. So do
it only if you know that the organization owns the domain.`,
        parameters,
        responses: {
          200: [
            {
              summary: 'The domain that you vouch for',
              value: { ...exampleOf(ConnectionDomain), state: 'vouched', proven_at: null },
            },
          ],
        },
      })),
  }),
  deleteConnectionDomain: defineOperation({
    id: 'delete_connection_domain',
    group: 'connections',
    method: 'DELETE',
    path: '/api/2/auth/connections/{id}/domains/{domain}',
    access: adminBySession,
    summary: 'Remove an email domain from a company connection',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['connection.domain_removed'],
    seals: { kinds: ['saml_provider', 'oidc_connection'] },
    text:
      docs &&
      describe(() => ({
        description: `Removes a domain. Another provider can have it from then on. Users who are connected still sign in.`,
        parameters,
      })),
  }),
}
