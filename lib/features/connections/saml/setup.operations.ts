import * as z from 'zod/mini'
import { adminBySession, adminWithScope, anyone } from '../../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import { pastedMetadataBytes } from '../../../kernel/limits/saml-limits.ts'
import {
  NewSAMLSetup,
  NewSAMLSetupLink,
  SAMLSetup,
  SAMLSetupDomain,
  SAMLSetupFinish,
  SAMLSetupLink,
  SAMLSetupLinkRequest,
  SAMLSetupMetadata,
  SAMLSetupToken,
} from './setup.models.ts'
import { changeByLink, linkErrors } from './setup-changes.models.ts'

const idDescription = docs && ({ description: 'The ID of the SAML provider.', example: 2 } as const)
const exampleLink = docs && [{ summary: 'A link, which is shown once', value: exampleOf(NewSAMLSetupLink) }]
const exampleState = docs && [{ summary: 'A connection that can go live', value: exampleOf(SAMLSetup) }]

/** The links with which customers set up their connection, without an account. */
export const samlSetup = {
  createSamlSetup: defineOperation({
    id: 'create_saml_setup',
    group: 'connections',
    method: 'POST',
    path: '/api/2/auth/saml-setups',
    access: adminBySession,
    summary: 'Create a SAML identity provider that a customer sets up',
    body: NewSAMLSetup,
    responses: { 201: docs && NewSAMLSetupLink },
    errors: ['conflict'],
    recentAuthentication: true,
    audit: ['saml_provider.created', 'saml_setup.link_created'],
    text:
      docs &&
      describe(() => ({
        description: `Creates a SAML provider with a name alone, and the first link with which the customer sets it up. No one signs in with it until
the holder of a link finishes the set-up. It is hidden in clients.`,
        parameters: {},
        request: [{ summary: 'A customer', value: exampleOf(NewSAMLSetup) }],
        responses: { 201: docs && exampleLink },
      })),
  }),
  createSamlSetupLink: defineOperation({
    id: 'create_saml_setup_link',
    group: 'connections',
    method: 'POST',
    path: '/api/2/auth/saml/{id}/setup-links',
    access: adminBySession,
    summary: 'Replace the set-up link of a SAML identity provider',
    body: SAMLSetupLinkRequest,
    isBodyOptional: true,
    responses: { 201: docs && NewSAMLSetupLink },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['saml_setup.link_created'],
    seals: { kinds: ['saml_provider'] },
    text:
      docs &&
      describe(() => ({
        description: `Creates another link for a provider that is being set up. The link before it ends, and the set-up starts again: metadata, domains
and tokens of the directory are removed, because somebody else may have sent them. A provider that is live is a 409, because a lost link would let strangers sign in
as its users.`,
        parameters: { id: idDescription },
        request: [{ summary: 'A link that includes the directory', value: exampleOf(SAMLSetupLinkRequest) }],
        responses: { 201: docs && exampleLink },
      })),
  }),
  getSamlSetupLinks: defineOperation({
    id: 'get_saml_setup_links',
    group: 'connections',
    method: 'GET',
    path: '/api/2/auth/saml/{id}/setup-links',
    access: adminWithScope('saml-providers:manage'),
    summary: 'List the set-up link of a SAML identity provider',
    responses: { 200: docs && z.array(SAMLSetupLink) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Lists the link of a provider that works now, with the address of the browser that opened it. It is empty for a provider that is live.',
        parameters: { id: idDescription },
        responses: { 200: [{ summary: 'An open link', value: [exampleOf(SAMLSetupLink)] }] },
      })),
  }),
  revokeSamlSetupLink: defineOperation({
    id: 'revoke_saml_setup_link',
    group: 'connections',
    method: 'DELETE',
    path: '/api/2/auth/saml/{id}/setup-links/{link}',
    access: adminBySession,
    summary: 'Revoke a set-up link of a SAML identity provider',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['saml_setup.link_revoked'],
    text:
      docs &&
      describe(() => ({
        description: 'Revokes a link. What its holder changed stays until there is another link.',
        parameters: {
          id: idDescription,
          link: { description: 'The ID of a link, from `get_saml_setup_links`.', example: 'kJ3xExampleX' },
        },
      })),
  }),
  findSamlSetup: defineOperation({
    id: 'find_saml_setup',
    group: 'connections',
    method: 'POST',
    path: '/api/2/auth/saml-setup',
    access: anyone,
    summary: 'Look up the connection that a set-up link is for',
    body: SAMLSetupToken,
    responses: { 200: docs && SAMLSetup },
    errors: linkErrors,
    audit: ['saml_setup.link_opened', 'saml_setup.link_refused'],
    limits: ['lookUpFailures'],
    text:
      docs &&
      describe(() => ({
        description: `Shows the holder of a link their connection and nothing else. The first browser that asks gets a cookie, and the link works in no other
from then on: any other is a 403 with the reason \`setup_browser\`. All other operations with the link need the cookie. An unknown, used,
revoked or expired token is a 400 \`invalid_token\`.`,
        parameters: {},
        request: [{ summary: 'The token of a link', value: exampleOf(SAMLSetupToken) }],
        responses: { 200: docs && exampleState },
      })),
  }),
  setSamlSetupMetadata: defineOperation({
    id: 'set_saml_setup_metadata',
    ...changeByLink,
    path: '/api/2/auth/saml-setup/metadata',
    summary: 'Send the metadata of the identity provider with a set-up link',
    body: SAMLSetupMetadata,
    bodyLimitBytes: 2 * pastedMetadataBytes,
    errors: [...linkErrors, 'upstream_failed'],
    seals: { kinds: ['saml_provider'] },
    text:
      docs &&
      describe(() => ({
        description: `Stores the metadata of the identity provider. If it differs from before, each domain is \`pending\` again, with another TXT record: a
proof counts only for the metadata that it was made for. An entity ID that another provider has is a 409. The service does not read the
metadata at \`url\` again before an administrator chooses it as \`metadata_url_source\`. The administrator who created the link gets an
email with the SHA-256 of each certificate.`,
        parameters: {},
        request: [{ summary: 'Metadata at an address', value: exampleOf(SAMLSetupMetadata) }],
        responses: { 200: docs && exampleState },
      })),
  }),
  checkSamlSetupDomain: defineOperation({
    id: 'check_saml_setup_domain',
    ...changeByLink,
    path: '/api/2/auth/saml-setup/domains',
    summary: 'Add or check an email domain with a set-up link',
    body: SAMLSetupDomain,
    errors: linkErrors,
    seals: { kinds: ['saml_provider'] },
    text:
      docs &&
      describe(() => ({
        description: `Adds a domain if the connection does not have it, and looks for its TXT record. Send it again after the record is published.
A domain that another connection has proven is a 409.`,
        parameters: {},
        request: [{ summary: 'A domain', value: exampleOf(SAMLSetupDomain) }],
        responses: { 200: docs && exampleState },
      })),
  }),
  removeSamlSetupDomain: defineOperation({
    id: 'remove_saml_setup_domain',
    ...changeByLink,
    path: '/api/2/auth/saml-setup/domains/remove',
    summary: 'Remove a pending email domain with a set-up link',
    body: SAMLSetupDomain,
    errors: linkErrors,
    seals: { kinds: ['saml_provider'] },
    text:
      docs &&
      describe(() => ({
        description: `Removes a domain that is pending. Any other domain is a 409: an administrator can remove it.`,
        parameters: {},
        request: [{ summary: 'A domain', value: exampleOf(SAMLSetupDomain) }],
        responses: { 200: docs && exampleState },
      })),
  }),
  finishSamlSetup: defineOperation({
    id: 'finish_saml_setup',
    ...changeByLink,
    path: '/api/2/auth/saml-setup/finish',
    summary: 'Take a connection live with a set-up link',
    body: SAMLSetupFinish,
    errors: linkErrors,
    audit: [...changeByLink.audit, 'connection.approval_requested'],
    seals: { kinds: ['saml_provider'] },
    text:
      docs &&
      describe(() => ({
        description: `Takes the connection live. From then on, users sign in with it, and its link has ended. It needs metadata and a proven
domain, or the response is a 409. One that an organization brought can need the approval of an administrator first. If the identity provider or the domains are not what \`shown\` names, nothing goes live, and the response
is a 409 with the reason \`setup_changed\`: look up the connection again. The administrator who created the link gets an email.`,
        parameters: {},
        request: [{ summary: 'What the page showed', value: exampleOf(SAMLSetupFinish) }],
        responses: { 200: docs && exampleState },
      })),
  }),
}
