import * as z from 'zod/mini'
import {
  exampleCertificate,
  exampleFingerprint,
  exampleIds,
  exampleServiceCertificate,
  exampleUrl,
} from '../../../accounts/example-values.models.ts'
import { assignedId, nameRules } from '../../../kernel/contract/descriptions/common-texts.ts'
import {
  anyText,
  flag,
  id,
  nonEmptyText,
  nullableTextUpTo255,
  readOnlyText,
  readOnlyTexts,
  text255,
  textUpTo,
} from '../../../kernel/contract/fields.ts'
import { changes, field, model, settable, sharedFields } from '../../../kernel/contract/model.ts'
import { certificatesPerField } from '../../../kernel/limits/saml-limits.ts'
import { connectionRules, connectionSettings } from '../rules.models.ts'

const nullableText = z.nullable(anyText)

/** SAML Core 8.3. */
const nameIdFormat = z.enum([
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:WindowsDomainQualifiedName',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:entity',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:encrypted',
])

const everyone = { seenBy: ['service', 'everyone'] } as const
const administrators = { seenBy: ['service'] } as const
const documented = { by: ['service', 'configuration'] } as const
/** What the metadata of an identity provider says, which the holder of a set-up link sends. */
const ofMetadata = { by: ['service', 'configuration', 'setup_link'], ...everyone } as const
// Configuration has no keys of the service.
const ofKeys = { by: ['service'], ...everyone } as const

/** What sign-in pages need. */
const shownFields = sharedFields({
  id: field(id, docs && `The ID of the SAML provider. ${assignedId}`, everyone),
  name: settable(
    connectionSettings.name.schema,
    docs &&
      `The name of the provider, such as that of the organization. ${nameRules} Default: the entity ID.`,
    connectionSettings.name,
  ),
  disabled_in_client: settable(
    connectionSettings.disabled_in_client.schema,
    docs &&
      'Whether sign-in pages should hide the provider. It is only a hint: signing in through the provider still works. Default: `false`.',
    connectionSettings.disabled_in_client,
  ),
  login_url: field(
    readOnlyText,
    docs && 'The URL that starts a sign-in. Open it in a browser, with the page to return to as `return_to`.',
    everyone,
  ),
  logout_url: field(
    z.optional(z.readonly(nullableText)),
    docs && 'The URL that ends the session here and at the identity provider. Open it in a browser.',
    everyone,
  ),
})

const exampleServiceUrl = docs && `${exampleUrl}/api/2/auth/saml/${exampleIds.samlProvider}`

const exampleMinimum = docs && {
  id: exampleIds.samlProvider,
  name: 'Example Corp',
  disabled_in_client: false,
  login_url: `${exampleServiceUrl}/sso`,
  logout_url: `${exampleServiceUrl}/sls`,
}

/** What a sign-in page needs of a provider. */
export const SAMLProviderMini = model(
  shownFields,
  docs && { description: 'What a sign-in page needs of a SAML provider.', example: exampleMinimum },
)
export type SAMLProviderMini = z.output<typeof SAMLProviderMini>

const onlyAdministratorsDescription = docs && 'Only administrators see it.'

export const samlFields = sharedFields({
  ...shownFields,
  metadata_url: field(
    readOnlyText,
    docs &&
      'The URL of the metadata of this service. It is also the entity ID of the service. Register it at the identity provider.',
    everyone,
  ),
  assertion_url: field(
    readOnlyText,
    docs && 'The URL that the identity provider sends its responses to (assertion consumer service).',
    everyone,
  ),
  entity_id: settable(
    text255,
    docs && 'The entity ID of the identity provider, exactly as in its metadata. It is unique.',
    { ...ofMetadata, inEvents: 'value' },
  ),
  sso_url: settable(
    text255,
    docs &&
      'Where browsers are sent to sign in: an https URL for the redirect binding, from the metadata of the identity provider.',
    { ...ofMetadata, inEvents: 'value' },
  ),
  slo_url: settable(
    nullableTextUpTo255,
    docs &&
      'Where browsers are sent to sign out, or null if the identity provider has no single logout. An https URL for the redirect binding. Default: null.',
    { ...ofMetadata, inEvents: 'value' },
  ),
  certificate: settable(
    nonEmptyText,
    docs &&
      `The certificates that the identity provider signs with: 1 to ${certificatesPerField}, as PEM or base64 of DER, one after the other. RSA keys need 2,048 bits, elliptic curves P-256. Add a new certificate before the provider switches to it.`,
    ofMetadata,
  ),
  sp_certificate: settable(
    nullableText,
    docs &&
      'The certificate of the key that this service signs requests with, and that decrypts assertions. Give it to the identity provider. Omit it and the key at creation to have both generated. Null only without a key, and an empty text counts as null.',
    ofKeys,
  ),
  sp_certificate_key: settable(
    nullableText,
    docs &&
      'The private key of `sp_certificate`: RSA with 2,048 to 4,096 bits, as PEM. Stored encrypted and never returned: responses contain `********` if there is a key, else null. Sending `********`, or omitting the field, keeps the key. Null or an empty text removes it.',
    ofKeys,
  ),
  nameid_format: settable(
    nameIdFormat,
    docs &&
      'The format of the name by which the identity provider identifies a user (SAML Core 8.3). Choose a format whose values never change. Default: `urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified`.',
    { ...documented, ...everyone, inEvents: 'value' },
  ),
  auto_create_users: settable(
    connectionSettings.auto_create_users.schema,
    docs &&
      'Whether the first sign-in of an unknown account creates a user. Otherwise it is refused. Default: `false`.',
    connectionSettings.auto_create_users,
  ),
  auto_create_groups: settable(
    connectionSettings.auto_create_groups.schema,
    docs &&
      'Whether groups of the assertion that `allowed_groups` allows and that do not exist are created, without permissions. Default: `false`.',
    connectionSettings.auto_create_groups,
  ),
  auto_sync_groups: settable(
    connectionSettings.auto_sync_groups.schema,
    docs &&
      'Whether each sign-in makes the group memberships that came from this provider equal to the assertion, within `allowed_groups`. Default: `false`.',
    connectionSettings.auto_sync_groups,
  ),
  user_template: settable(
    connectionSettings.user_template.schema,
    docs &&
      'The ID of the user template for users that this provider creates. Null to create them without permissions and groups. Default: null.',
    connectionSettings.user_template,
  ),
  metadata_url_source: settable(
    z.optional(z.nullable(textUpTo(2048))),
    docs &&
      `The https URL of the metadata of the identity provider, or null. The service reads it every day and adds new certificates. Omitted, it stays as it is. ${onlyAdministratorsDescription}`,
    { ...documented, ...administrators },
  ),
  nameid_attribute: settable(
    z.optional(z.nullable(textUpTo(255))),
    docs &&
      `The attribute that identifies a user if their name ID is transient, or null. Omitted, it stays as it is. ${onlyAdministratorsDescription}`,
    { ...documented, ...administrators, inEvents: 'value' },
  ),
  allowed_groups: settable(
    z.optional(connectionSettings.allowed_groups.schema),
    docs &&
      `The groups that the provider may add users to: names, or prefixes that end with \`*\`. A group with permissions needs its exact name. \`*\` alone allows all groups without permissions. Null or an empty list allows none, so users join no groups. Default: null. Omitted in a change, it stays as it is. ${onlyAdministratorsDescription}`,
    connectionSettings.allowed_groups,
  ),
  ...connectionRules,
  domains: field(
    z.optional(readOnlyTexts),
    docs &&
      `Its email domains, proven or not: see \`get_connection_domains\`. ${onlyAdministratorsDescription}`,
    administrators,
  ),
  proposed_metadata_url: field(
    z.optional(z.readonly(nullableText)),
    docs &&
      `The address of the metadata that the holder of a set-up link sent, or null. The service does not read it again. Send it as \`metadata_url_source\` to have it read every day. ${onlyAdministratorsDescription}`,
    administrators,
  ),
  awaits_approval: field(
    z.optional(z.readonly(flag)),
    docs &&
      `Whether an organization brought it and finished it, and nobody can sign in with it before \`approve_connection\`. ${onlyAdministratorsDescription}`,
    administrators,
  ),
  certificate_fingerprints: field(
    z.optional(readOnlyTexts),
    docs && `The SHA-256 of each certificate in \`certificate\`. ${onlyAdministratorsDescription}`,
    administrators,
  ),
})

const exampleSettings = docs && {
  name: 'Example Corp',
  entity_id: 'https://idp.example.com/metadata',
  sso_url: 'https://idp.example.com/sso',
  slo_url: 'https://idp.example.com/slo',
  certificate: exampleCertificate,
  nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' as const,
  auto_create_users: true,
  auto_sync_groups: true,
  user_template: exampleIds.userTemplate,
  metadata_url_source: 'https://idp.example.com/metadata',
  allowed_groups: ['editors', 'staff-*'],
  required_for_domains: false,
  exempt_users: [],
  organization_id: null,
  default_organization_roles: null,
  attribute_mapping: { email_from: 'mail' },
  required_authn_contexts: [],
  multi_factor_authn_contexts: ['https://refeds.org/profile/mfa'],
}

export const SAMLProvider = model(
  samlFields,
  docs && {
    description:
      'An identity provider of an organization, which signs its users in with SAML 2.0. Everyone can read it, because sign-in pages need it. Some fields are only for administrators.',
    example: {
      ...exampleMinimum,
      ...exampleSettings,
      auto_create_groups: false,
      metadata_url: `${exampleServiceUrl}/metadata`,
      assertion_url: `${exampleServiceUrl}/assertion`,
      sp_certificate: exampleServiceCertificate,
      sp_certificate_key: '********',
      nameid_attribute: null,
      domains: ['example.com'],
      proposed_metadata_url: null,
      certificate_fingerprints: [exampleFingerprint],
      awaits_approval: false,
    },
  },
)
export type SAMLProvider = z.output<typeof SAMLProvider>

export const SAMLProviderUpdate = changes(
  samlFields,
  docs && {
    description:
      'A new SAML provider, or all settable fields of an existing one. Omitted fields get their defaults, unless their description says otherwise.',
    example: exampleSettings,
  },
  ['entity_id', 'sso_url', 'certificate'],
)
export type SAMLProviderUpdate = z.output<typeof SAMLProviderUpdate>

export const SAMLProviderPartialUpdate = changes(
  samlFields,
  docs && {
    description: 'Changes of a SAML provider. Omitted fields keep their values.',
    example: { auto_create_users: false },
  },
)
export type SAMLProviderPartialUpdate = z.output<typeof SAMLProviderPartialUpdate>
