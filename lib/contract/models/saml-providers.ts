import * as z from 'zod/mini'
import {
  anyText,
  flag,
  id,
  nonEmptyText,
  nullableTextUpTo255,
  readOnlyText,
  text255,
  textUpTo,
} from './fields.ts'

const nullableText = z.nullable(anyText)
/** An extension: the URL that the metadata is read from every day. Only administrators see it. */
const metadataUrl = z.optional(z.nullable(textUpTo(2048)))
/** An extension: the attribute that identifies a user if their name ID is transient. Only administrators see it. */
const nameIdAttribute = z.optional(z.nullable(textUpTo(255)))

/**
 * An extension: the groups that the provider may use, by name or by a prefix that ends with `*`. Groups with permissions
 * must be listed by their exact name. Null allows none, like an empty list. Only administrators see it.
 */
const allowedGroups = z.optional(z.nullable(z.array(text255).check(z.maxLength(100))))

/** An extension: the domains whose addresses count as confirmed. Only administrators see it. */
const trustedEmailDomains = z.optional(z.array(text255).check(z.maxLength(100)))

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

export const SAMLProvider = z.strictObject({
  ...minimum,
  metadata_url: readOnlyText,
  assertion_url: readOnlyText,
  entity_id: text255,
  sso_url: text255,
  slo_url: nullableTextUpTo255,
  certificate: nonEmptyText,
  sp_certificate: nullableText,
  /** Asterisks if there is a key. The key itself is never returned. */
  sp_certificate_key: nullableText,
  nameid_format: nameIdFormat,
  auto_create_users: flag,
  auto_create_groups: flag,
  auto_sync_groups: flag,
  user_template: z.nullable(id),
  metadata_url_source: metadataUrl,
  nameid_attribute: nameIdAttribute,
  allowed_groups: allowedGroups,
  trusted_email_domains: trustedEmailDomains,
})
export type SAMLProvider = z.output<typeof SAMLProvider>

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
  trusted_email_domains: trustedEmailDomains,
}

export const SAMLProviderUpdate = z.strictObject({
  ...changes,
  entity_id: text255,
  sso_url: text255,
  certificate: nonEmptyText,
})
export type SAMLProviderUpdate = z.output<typeof SAMLProviderUpdate>

export const SAMLProviderPartialUpdate = z.strictObject({
  ...changes,
  entity_id: z.optional(text255),
  sso_url: z.optional(text255),
  certificate: z.optional(nonEmptyText),
})
export type SAMLProviderPartialUpdate = z.output<typeof SAMLProviderPartialUpdate>
