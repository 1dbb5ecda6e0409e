import * as z from 'zod/mini'
import { exampleCertificate } from '../../../accounts/example-values.models.ts'
import { adminBySession, adminWithScope, anyoneOrKnown } from '../../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import { listReservedFrom } from '../../../kernel/contract/field-rights.ts'
import { writable } from '../../../kernel/contract/fields.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import { ordering, paging } from '../../../kernel/contract/query.ts'
import { certificateWarningDays } from '../../../kernel/limits/saml-limits.ts'
import { SAMLProvider, SAMLProviderPartialUpdate, SAMLProviderUpdate, samlFields } from './models.ts'

const provider = writable(SAMLProviderUpdate, SAMLProvider)
const idDescription = docs && ({ description: 'The ID of the SAML provider.', example: 2 } as const)
const warningDaysDescription =
  docs && `${certificateWarningDays.slice(0, -1).join(', ')} and ${certificateWarningDays.at(-1)}`
const exampleMetadataUrl = docs && 'https://idp.example.com/metadata'

export const samlProviders = {
  getAllSamlProviders: defineOperation({
    id: 'get_all_saml_providers',
    group: 'connections',
    method: 'GET',
    path: '/api/2/auth/saml',
    // Administrators see one more field.
    access: anyoneOrKnown,
    summary: 'List SAML identity providers',
    query: z.strictObject({ ordering: ordering(['id', 'name']), ...paging }),
    responses: { 200: docs && z.array(SAMLProvider) },
    text:
      docs &&
      describe(() => ({
        description: `Lists the identity providers, for the buttons of a sign-in page. It needs no credential. Send a browser to \`login_url\` of
a provider to sign in through it. Pages should leave out providers with \`disabled_in_client\`, which still work. Only
administrators see providers in set-up. If the service hides connections (\`hidesConnections\`), only they see those with
\`disabled_in_client\`, and a page can have fewer items than its limit. Only they see the fields about groups, domains and the metadata URL. The private key is never part of a response.`,
        parameters: {},
        responses: {
          200: [{ summary: 'SAML providers, as administrators see them', value: [exampleOf(SAMLProvider)] }],
        },
      })),
  }),
  createSamlProvider: defineOperation({
    id: 'create_saml_provider',
    group: 'connections',
    method: 'POST',
    path: '/api/2/auth/saml',
    access: adminBySession,
    summary: 'Create a SAML identity provider',
    body: provider,
    responses: { 201: docs && SAMLProvider },
    errors: ['conflict'],
    recentAuthentication: true,
    audit: ['saml_provider.created'],
    text:
      docs &&
      describe(() => ({
        description: `Creates a connection to an identity provider. Take \`entity_id\`, \`sso_url\`, \`slo_url\` and \`certificate\` from
\`parse_samlidp_metadata\`. The service generates a key pair for its own messages, unless the body has one. Then register
the service at the identity provider with the metadata at \`metadata_url\` of the response.

With \`auto_create_users\`, a first sign-in creates the user from \`user_template\`. An entity ID that another provider has is
a 409.`,
        parameters: {},
        request: [
          {
            summary: 'A provider that creates users and their groups',
            value: {
              name: 'Example Org',
              entity_id: 'https://login.example.org/metadata',
              sso_url: 'https://login.example.org/sso',
              certificate: exampleCertificate,
              auto_create_users: true,
              auto_sync_groups: true,
              allowed_groups: ['editors', 'staff-*'],
              user_template: 4,
            },
          },
        ],
        responses: { 201: [{ summary: 'The new SAML provider', value: exampleOf(SAMLProvider) }] },
      })),
  }),
  getSamlProvider: defineOperation({
    id: 'get_saml_provider',
    group: 'connections',
    method: 'GET',
    path: '/api/2/auth/saml/{id}',
    access: anyoneOrKnown,
    summary: 'Get a SAML identity provider',
    responses: { 200: docs && SAMLProvider },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Gets an identity provider. It needs no credential. Only administrators see the fields about groups, domains and the metadata URL, and providers that `get_all_saml_providers` leaves out.',
        parameters: { id: idDescription },
        responses: {
          200: [{ summary: 'A SAML provider, as administrators see it', value: exampleOf(SAMLProvider) }],
        },
      })),
  }),
  updateSamlProvider: defineOperation({
    id: 'update_saml_provider',
    group: 'connections',
    method: 'PUT',
    path: '/api/2/auth/saml/{id}',
    access: adminWithScope('saml-providers:manage'),
    summary: 'Replace a SAML identity provider',
    body: provider,
    responses: { 200: docs && SAMLProvider },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['saml_provider.changed'],
    seals: { kinds: ['saml_provider'] },
    text:
      docs &&
      describe(() => ({
        description: `Replaces all fields of an identity provider that can be changed. Fields that you leave out get their default, except for the
key pair of the service, which stays. So send back what you read with \`get_saml_provider\` as an administrator, with your
changes. The rules and effects are those of \`patch_saml_provider\`.`,
        parameters: { id: idDescription },
        request: [
          {
            summary: 'The fields of a provider',
            value: {
              name: 'Example Corp',
              entity_id: exampleMetadataUrl,
              sso_url: 'https://idp.example.com/sso',
              slo_url: 'https://idp.example.com/slo',
              certificate: exampleCertificate,
            },
          },
        ],
        responses: { 200: [{ summary: 'The changed SAML provider', value: exampleOf(SAMLProvider) }] },
      })),
  }),
  patchSamlProvider: defineOperation({
    id: 'patch_saml_provider',
    group: 'connections',
    method: 'PATCH',
    path: '/api/2/auth/saml/{id}',
    access: adminWithScope('saml-providers:manage'),
    summary: 'Update some fields of a SAML identity provider',
    body: writable(SAMLProviderPartialUpdate, SAMLProvider),
    responses: { 200: docs && SAMLProvider },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['saml_provider.changed'],
    seals: { kinds: ['saml_provider'], leaves: listReservedFrom(samlFields, 'configuration') },
    text:
      docs &&
      describe(() => ({
        description: `Changes the fields of an identity provider that the body contains. \`"********"\` as \`sp_certificate_key\` keeps the key, and
\`null\` removes it. An API token can change only \`name\` and \`disabled_in_client\`. Existing sessions continue.

Administrators get an email ${warningDaysDescription} days before a certificate expires.`,
        parameters: { id: idDescription },
        request: [{ summary: 'Hide the provider on sign-in pages', value: { disabled_in_client: true } }],
        responses: { 200: [{ summary: 'The changed SAML provider', value: exampleOf(SAMLProvider) }] },
      })),
  }),
  takeSamlProviderLive: defineOperation({
    id: 'take_saml_provider_live',
    group: 'connections',
    method: 'POST',
    path: '/api/2/auth/saml/{id}/live',
    access: adminBySession,
    summary: 'Take a SAML identity provider live that is being set up',
    body: provider,
    responses: { 200: docs && SAMLProvider },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['saml_provider.changed'],
    seals: { kinds: ['saml_provider'] },
    text:
      docs &&
      describe(() => ({
        description: `Takes a provider live that \`create_saml_setup\` created: some identity providers give their metadata only to someone who
enters its \`assertion_url\` and \`metadata_url\` first. The body is that of \`create_saml_provider\`, and its set-up link ends. A provider
that is live already is a 409, and so is an entity ID that another provider has. If the holder of the link sent other metadata, domains
need another proof.`,
        parameters: { id: idDescription },
        request: [
          {
            summary: 'What the identity provider gave',
            value: {
              name: 'Example Corp',
              entity_id: exampleMetadataUrl,
              sso_url: 'https://idp.example.com/sso',
              certificate: exampleCertificate,
              disabled_in_client: true,
            },
          },
        ],
        responses: { 200: [{ summary: 'The SAML provider', value: exampleOf(SAMLProvider) }] },
      })),
  }),
  deleteSamlProvider: defineOperation({
    id: 'delete_saml_provider',
    group: 'connections',
    method: 'DELETE',
    path: '/api/2/auth/saml/{id}',
    access: adminBySession,
    summary: 'Delete a SAML identity provider and end its sessions',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['session.ended', 'saml_provider.deleted'],
    seals: { kinds: ['saml_provider'] },
    text:
      docs &&
      describe(() => ({
        description: `Deletes an identity provider. No one can sign in through it from this moment, and all sessions that it opened end. The users
stay. If the response is a 409, not all sessions have ended yet: repeat the request.`,
        parameters: { id: idDescription },
      })),
  }),
}
