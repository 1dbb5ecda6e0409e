import * as z from 'zod/mini'
import { describeModel, type FieldText } from '../../../kernel/contract/describe.ts'
import { assignedId, nameRules } from '../../../kernel/contract/descriptions/common-texts.ts'
import type { FieldRights, ReadRights } from '../../../kernel/contract/field-rights.ts'
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
import { certificatesPerField } from '../../../kernel/limits/saml-limits.ts'
import {
  exampleCertificate,
  exampleFingerprint,
  exampleIds,
  exampleServiceCertificate,
  exampleUrl,
} from '../../example-values.models.ts'
import {
  connectionRights,
  connectionRuleDescriptions,
  connectionRules,
  connectionSettings,
} from '../rules.models.ts'

const nullableText = z.nullable(anyText)
/** An extension: the URL that the metadata is read from every day. Only administrators see it. */
const metadataUrl = z.optional(z.nullable(textUpTo(2048)))
/** An extension: the attribute that identifies a user if their name ID is transient. Only administrators see it. */
const nameIdAttribute = z.optional(z.nullable(textUpTo(255)))

/** An extension: the groups that the provider may use. Null allows none, like an empty list. Only administrators see it. */
const allowedGroups = z.optional(connectionSettings.allowed_groups)

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

const minimum = {
  id,
  name: text255,
  disabled_in_client: flag,
  login_url: readOnlyText,
  logout_url: z.optional(z.readonly(nullableText)),
}

/** What a sign-in page needs of a provider. */
export const SAMLProviderMini = z.strictObject(minimum)
export type SAMLProviderMini = z.output<typeof SAMLProviderMini>

const nameDescription =
  docs && `The name of the provider, such as that of the organization. ${nameRules} Default: the entity ID.`

const disabledInClientDescription =
  docs &&
  'Whether sign-in pages should hide the provider. It is only a hint: signing in through the provider still works. Default: `false`.'

const minimumDescriptions = docs && {
  id: `The ID of the SAML provider. ${assignedId}`,
  name: nameDescription,
  disabled_in_client: disabledInClientDescription,
  login_url:
    'The URL that starts a sign-in. Open it in a browser, with the page to return to as `return_to`.',
  logout_url: 'The URL that ends the session here and at the identity provider. Open it in a browser.',
}

const exampleServiceUrl = docs && `${exampleUrl}/api/2/auth/saml/${exampleIds.samlProvider}`

const exampleMinimum = docs && {
  id: exampleIds.samlProvider,
  name: 'Example Corp',
  disabled_in_client: false,
  login_url: `${exampleServiceUrl}/sso`,
  logout_url: `${exampleServiceUrl}/sls`,
}

if (docs)
  describeModel(SAMLProviderMini, () => ({
    description: 'What a sign-in page needs of a SAML provider.',
    fields: minimumDescriptions,
    example: exampleMinimum,
  }))

const providerFields = {
  ...minimum,
  metadata_url: readOnlyText,
  assertion_url: readOnlyText,
  entity_id: text255,
  sso_url: text255,
  slo_url: nullableTextUpTo255,
  certificate: nonEmptyText,
  sp_certificate: nullableText,
  sp_certificate_key: nullableText,
  nameid_format: nameIdFormat,
  auto_create_users: flag,
  auto_create_groups: flag,
  auto_sync_groups: flag,
  user_template: z.nullable(id),
  metadata_url_source: metadataUrl,
  nameid_attribute: nameIdAttribute,
  allowed_groups: allowedGroups,
  ...connectionRules,
  domains: z.optional(readOnlyTexts),
  proposed_metadata_url: z.optional(z.readonly(nullableText)),
  awaits_approval: z.optional(z.readonly(flag)),
  certificate_fingerprints: z.optional(readOnlyTexts),
}

export const SAMLProvider = z.strictObject(providerFields)
export type SAMLProvider = z.output<typeof SAMLProvider>

const everyone = { seenBy: ['service', 'everyone'] } as const
const administrators = { seenBy: ['service'] } as const
const documented = { by: ['service', 'configuration'] } as const
/** What the metadata of an identity provider says, which the holder of a set-up link sends. */
const ofMetadata = { by: ['service', 'configuration', 'setup_link'], ...everyone } as const
// Configuration has no keys of the service.
const ofKeys = { by: ['service'], ...everyone } as const

/** Who sets and who sees each field of a provider. */
export const samlRights = {
  ...connectionRights,
  id: everyone,
  login_url: everyone,
  logout_url: everyone,
  metadata_url: everyone,
  assertion_url: everyone,
  entity_id: ofMetadata,
  sso_url: ofMetadata,
  slo_url: ofMetadata,
  certificate: ofMetadata,
  sp_certificate: ofKeys,
  sp_certificate_key: ofKeys,
  nameid_format: { ...documented, ...everyone },
  metadata_url_source: { ...documented, ...administrators },
  nameid_attribute: { ...documented, ...administrators },
  domains: administrators,
  proposed_metadata_url: administrators,
  awaits_approval: administrators,
  certificate_fingerprints: administrators,
} as const satisfies Readonly<
  Record<keyof SAMLProvider, ReadRights> & Record<keyof SAMLProviderUpdate, FieldRights>
>

const onlyAdministratorsDescription = docs && 'Only administrators see it.'

/** The fields that requests set. */
const settableDescriptions =
  docs &&
  ({
    name: nameDescription,
    disabled_in_client: disabledInClientDescription,
    entity_id: 'The entity ID of the identity provider, exactly as in its metadata. It is unique.',
    sso_url:
      'Where browsers are sent to sign in: an https URL for the redirect binding, from the metadata of the identity provider.',
    slo_url:
      'Where browsers are sent to sign out, or null if the identity provider has no single logout. An https URL for the redirect binding. Default: null.',
    certificate: `The certificates that the identity provider signs with: 1 to ${certificatesPerField}, as PEM or base64 of DER, one after the other. RSA keys need 2,048 bits, elliptic curves P-256. Add a new certificate before the provider switches to it.`,
    sp_certificate:
      'The certificate of the key that this service signs requests with, and that decrypts assertions. Give it to the identity provider. Omit it and the key at creation to have both generated. Null only without a key, and an empty text counts as null.',
    sp_certificate_key:
      'The private key of `sp_certificate`: RSA with 2,048 to 4,096 bits, as PEM. Stored encrypted and never returned: responses contain `********` if there is a key, else null. Sending `********`, or omitting the field, keeps the key. Null or an empty text removes it.',
    nameid_format:
      'The format of the name by which the identity provider identifies a user (SAML Core 8.3). Choose a format whose values never change. Default: `urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified`.',
    auto_create_users:
      'Whether the first sign-in of an unknown account creates a user. Otherwise it is refused. Default: `false`.',
    auto_create_groups:
      'Whether groups of the assertion that `allowed_groups` allows and that do not exist are created, without permissions. Default: `false`.',
    auto_sync_groups:
      'Whether each sign-in makes the group memberships that came from this provider equal to the assertion, within `allowed_groups`. Default: `false`.',
    user_template:
      'The ID of the user template for users that this provider creates. Null to create them without permissions and groups. Default: null.',
    metadata_url_source: `The https URL of the metadata of the identity provider, or null. The service reads it every day and adds new certificates. Omitted, it stays as it is. ${onlyAdministratorsDescription}`,
    nameid_attribute: `The attribute that identifies a user if their name ID is transient, or null. Omitted, it stays as it is. ${onlyAdministratorsDescription}`,
    allowed_groups: `The groups that the provider may add users to: names, or prefixes that end with \`*\`. A group with permissions needs its exact name. \`*\` alone allows all groups without permissions. Null or an empty list allows none, so users join no groups. Default: null. Omitted in a change, it stays as it is. ${onlyAdministratorsDescription}`,
    ...connectionRuleDescriptions,
  } satisfies Record<string, FieldText>)

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

if (docs)
  describeModel(SAMLProvider, () => ({
    description:
      'An identity provider of an organization, which signs its users in with SAML 2.0. Everyone can read it, because sign-in pages need it. Some fields are only for administrators.',
    fields: {
      ...settableDescriptions,
      ...minimumDescriptions,
      metadata_url:
        'The URL of the metadata of this service. It is also the entity ID of the service. Register it at the identity provider.',
      assertion_url:
        'The URL that the identity provider sends its responses to (assertion consumer service).',
      domains: `Its email domains, proven or not: see \`get_saml_domains\`. ${onlyAdministratorsDescription}`,
      awaits_approval: `Whether an organization brought it and finished it, and nobody can sign in with it before \`approve_connection\`. ${onlyAdministratorsDescription}`,
      proposed_metadata_url: `The address of the metadata that the holder of a set-up link sent, or null. The service does not read it again. Send it as \`metadata_url_source\` to have it read every day. ${onlyAdministratorsDescription}`,
      certificate_fingerprints: `The SHA-256 of each certificate in \`certificate\`. ${onlyAdministratorsDescription}`,
    },
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
  }))

const maybeFlag = z.optional(flag)
const maybeText = z.optional(nullableText)

const changes = {
  name: z.optional(text255),
  disabled_in_client: maybeFlag,
  slo_url: z.optional(nullableTextUpTo255),
  sp_certificate: maybeText,
  sp_certificate_key: maybeText,
  nameid_format: z.optional(nameIdFormat),
  auto_create_users: maybeFlag,
  auto_create_groups: maybeFlag,
  auto_sync_groups: maybeFlag,
  user_template: z.optional(z.nullable(id)),
  metadata_url_source: metadataUrl,
  nameid_attribute: nameIdAttribute,
  allowed_groups: allowedGroups,
  ...connectionRules,
}

export const SAMLProviderUpdate = z.strictObject({
  ...changes,
  entity_id: text255,
  sso_url: text255,
  certificate: nonEmptyText,
})
export type SAMLProviderUpdate = z.output<typeof SAMLProviderUpdate>

if (docs)
  describeModel(SAMLProviderUpdate, () => ({
    description:
      'A new SAML provider, or all settable fields of an existing one. Omitted fields get their defaults, unless their description says otherwise.',
    fields: settableDescriptions,
    example: exampleSettings,
  }))

export const SAMLProviderPartialUpdate = z.strictObject({
  ...changes,
  entity_id: z.optional(text255),
  sso_url: z.optional(text255),
  certificate: z.optional(nonEmptyText),
})
export type SAMLProviderPartialUpdate = z.output<typeof SAMLProviderPartialUpdate>

if (docs)
  describeModel(SAMLProviderPartialUpdate, () => ({
    description: 'Changes of a SAML provider. Omitted fields keep their values.',
    fields: settableDescriptions,
    example: { auto_create_users: false },
  }))
