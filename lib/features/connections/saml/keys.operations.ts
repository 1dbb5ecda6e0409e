import { exampleCertificate } from '../../../accounts/example-values.models.ts'
import { adminBySession, adminWithScope } from '../../../kernel/contract/access.ts'
import { describe } from '../../../kernel/contract/describe.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import {
  ParsedSAMLIDPMetadata,
  ParseSAMLIDPMetadataRequest,
  RotateSPKeyRequest,
  SPKeyRotation,
} from './messages.models.ts'

const idDescription = docs && ({ description: 'The ID of the SAML provider.', example: 2 } as const)

const exampleMetadataUrl = docs && 'https://idp.example.com/metadata'

const exampleParsedMetadata = docs && {
  entity_id: exampleMetadataUrl,
  sso_url: 'https://idp.example.com/sso',
  slo_url: 'https://idp.example.com/slo',
  certificate: exampleCertificate,
}

/** The metadata of identity providers, and the keys of this service for them. */
export const samlKeys = {
  parseSamlidpMetadata: defineOperation({
    id: 'parse_samlidp_metadata',
    group: 'connections',
    method: 'POST',
    path: '/api/2/auth/saml/parse-idp-metadata',
    access: adminWithScope('saml-providers:manage'),
    summary: 'Read the settings of an identity provider from its metadata',
    body: ParseSAMLIDPMetadataRequest,
    responses: { 200: docs && ParsedSAMLIDPMetadata },
    errors: ['upstream_failed'],
    text:
      docs &&
      describe(() => ({
        description: `Reads the settings of an identity provider from its metadata at an HTTPS URL. Nothing is stored: pass the result to
\`create_saml_provider\`. If the metadata describes several providers, add the entity ID after \`#\` to the URL. Without it,
the response is a 400 that lists them.

If the metadata cannot be fetched, the response is 502, and \`reason\` names the step that failed. The URL must lead to a
public address, and redirects are not followed.`,
        parameters: {},
        request: [{ summary: 'A metadata URL', value: { url: exampleMetadataUrl } }],
        responses: { 200: [{ summary: 'The settings of the provider', value: exampleParsedMetadata }] },
      })),
  }),
  refreshSamlidpMetadata: defineOperation({
    id: 'refresh_samlidp_metadata',
    group: 'connections',
    method: 'POST',
    path: '/api/2/auth/saml/{id}/refresh-idp-metadata',
    access: adminBySession,
    summary: 'Refresh a SAML identity provider from its metadata',
    body: ParseSAMLIDPMetadataRequest,
    responses: { 200: docs && ParsedSAMLIDPMetadata },
    errors: ['not_found', 'conflict', 'upstream_failed'],
    recentAuthentication: true,
    audit: ['saml_provider.refreshed'],
    text:
      docs &&
      describe(() => ({
        description: `Reads the metadata of a stored identity provider again and saves its URLs and certificates. From then on, the service reads
the metadata from the same URL every day and adds new certificates. Metadata of another entity ID is a 409. Errors of the
fetch are those of \`parse_samlidp_metadata\`.`,
        parameters: { id: idDescription },
        request: [{ summary: 'A metadata URL', value: { url: exampleMetadataUrl } }],
        responses: { 200: [{ summary: 'The saved settings', value: exampleParsedMetadata }] },
      })),
  }),
  rotateSamlSpKey: defineOperation({
    id: 'rotate_saml_sp_key',
    group: 'connections',
    method: 'POST',
    path: '/api/2/auth/saml/{id}/rotate-sp-key',
    access: adminBySession,
    summary: 'Rotate the service provider key for a SAML identity provider',
    body: RotateSPKeyRequest,
    responses: { 200: docs && SPKeyRotation },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['saml_provider.sp_key_added', 'saml_provider.sp_key_switched'],
    text:
      docs &&
      describe(() => ({
        description: `Replaces the key pair with which the service signs its messages to an identity provider, without an interruption:

1. Call it without \`confirm\`. The service generates a new key and publishes both certificates in its metadata.
2. Update the metadata of the service at the identity provider.
3. Call it with \`confirm\`. The service now signs with the new key. It still decrypts with the old one until the next
   rotation.

Repeating a step changes nothing: step 1 returns the same certificate, and step 3 without a new key is a 409.`,
        parameters: { id: idDescription },
        request: [
          { summary: 'Step 1: generate the new key', value: {} },
          { summary: 'Step 3: switch to the new key', value: { confirm: true } },
        ],
        responses: {
          200: [
            {
              summary: 'After step 3',
              value: { sp_certificate: exampleCertificate, next_sp_certificate: null },
            },
          ],
        },
      })),
  }),
}
