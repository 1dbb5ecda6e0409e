import * as z from 'zod/mini'
import { metadataUrlLength, pastedMetadataBytes, setupLinkLifetimeMs } from '../../../limits/saml-limits.ts'
import { describeDuration } from '../../../util/time.ts'
import { describeModel, exampleOf } from '../../describe.ts'
import {
  exampleCredentials,
  exampleIds,
  exampleTimes,
  exampleUrl,
} from '../../descriptions/example-values.ts'
import { dateTime, displayText, flag, id, nonEmptyText, nullableDateTime, text, text255 } from '../fields.ts'
import { SAMLDomain } from '../saml.ts'

// Customers set up a connection with a link, without an account.

/** The name of a connection that a customer sets up. */
export const NewSAMLSetup = z.strictObject({
  name: displayText(255),
  auto_create_users: z.optional(flag),
})

export const SAMLSetupLink = z.strictObject({
  id: nonEmptyText,
  created_by: id,
  created_at: dateTime,
  expires_at: dateTime,
  used_at: nullableDateTime,
})
export type SAMLSetupLink = z.output<typeof SAMLSetupLink>

export const NewSAMLSetupLink = z.strictObject({
  id: nonEmptyText,
  saml_provider: id,
  url: nonEmptyText,
  expires_at: dateTime,
})
export type NewSAMLSetupLink = z.output<typeof NewSAMLSetupLink>

export const SAMLSetupToken = z.strictObject({ token: text255 })
export const SAMLSetupMetadata = z.strictObject({
  token: text255,
  url: z.optional(text(metadataUrlLength)),
  xml: z.optional(text(pastedMetadataBytes)),
})
export const SAMLSetupDomain = z.strictObject({ token: text255, domain: text255 })

/** A test sign-in that the holder of a link made. */
export const SAMLSetupTest = z.strictObject({ token: text255, test: text255 })

export const SAMLSetupCertificate = z.strictObject({ expires_at: dateTime })
/** What the metadata of the identity provider says. */
export const SAMLSetupProvider = z.strictObject({
  entity_id: nonEmptyText,
  sso_url: nonEmptyText,
  certificates: z.array(SAMLSetupCertificate),
})

/** What the page of a set-up link shows. */
export const SAMLSetup = z.strictObject({
  name: nonEmptyText,
  expires_at: dateTime,
  service_entity_id: nonEmptyText,
  assertion_url: nonEmptyText,
  metadata_url: nonEmptyText,
  idp: z.nullable(SAMLSetupProvider),
  domains: z.array(SAMLDomain),
  can_finish: flag,
  is_finished: flag,
})
export type SAMLSetup = z.output<typeof SAMLSetup>

const tokenDescription = `The value from a set-up link, with the prefix \`lkx_\`. It works for ${describeDuration(setupLinkLifetimeMs)}, until it is revoked or the set-up is finished.`
const linkIdDescription = 'The ID of the link. It is no secret.'
const expiresAtDescription = 'When the link stops working: ISO 8601, UTC.'
const exampleLink = { id: 'kJ3xExampleX', expires_at: exampleTimes.created }
const exampleIdp = 'https://idp.example.com/metadata'

describeModel(NewSAMLSetup, () => ({
  description: 'A connection that a customer sets up.',
  fields: {
    name: 'The name of the customer, which the holder of the link sees.',
    auto_create_users: 'Whether a first sign-in creates a user. Default: false.',
  },
  example: { name: 'Example Company', auto_create_users: true },
}))

describeModel(SAMLSetupLink, () => ({
  description: 'A set-up link of a SAML provider, without its value.',
  fields: {
    id: linkIdDescription,
    created_by: 'The ID of the administrator who created it.',
    created_at: 'When it was created: ISO 8601, UTC.',
    expires_at: expiresAtDescription,
    used_at: 'When its holder last changed something: ISO 8601, UTC. Null if they never did.',
  },
  example: { ...exampleLink, created_by: exampleIds.user, created_at: exampleTimes.created, used_at: null },
}))

describeModel(NewSAMLSetupLink, () => ({
  description: 'A new set-up link. Its value is shown once.',
  fields: {
    id: linkIdDescription,
    saml_provider: 'The ID of the SAML provider that it sets up.',
    url: 'The link for the customer. Everyone who has it can set up the connection.',
    expires_at: expiresAtDescription,
  },
  example: {
    ...exampleLink,
    saml_provider: exampleIds.samlProvider,
    url: `${exampleUrl}/setup#token=${exampleCredentials.samlSetup}`,
  },
}))

const exampleToken = { token: exampleCredentials.samlSetup }

describeModel(SAMLSetupToken, () => ({
  description: 'The token of a set-up link.',
  fields: { token: tokenDescription },
  example: exampleToken,
}))

describeModel(SAMLSetupMetadata, () => ({
  description: 'The metadata of the identity provider of a customer: either `url` or `xml`.',
  fields: {
    token: tokenDescription,
    url: 'The HTTPS URL of the metadata. The service reads it again every day.',
    xml: `The metadata, of at most ${pastedMetadataBytes / 1024} KiB. The service does not read it again.`,
  },
  example: { ...exampleToken, url: exampleIdp },
}))

describeModel(SAMLSetupTest, () => ({
  description: 'A test sign-in that was made with a set-up link.',
  fields: {
    token: tokenDescription,
    test: 'The ID of the test, from the address of the page: `#test=`.',
  },
  example: { ...exampleToken, test: '_4f1c2a9be0d3' },
}))

describeModel(SAMLSetupDomain, () => ({
  description: 'An email domain of a customer.',
  fields: { token: tokenDescription, domain: 'A domain such as `example.com`.' },
  example: { ...exampleToken, domain: 'example.com' },
}))

const exampleCertificate = { expires_at: exampleTimes.created }

describeModel(SAMLSetupCertificate, () => ({
  description: 'A certificate that an identity provider signs with.',
  fields: { expires_at: 'When the certificate expires: ISO 8601, UTC.' },
  example: exampleCertificate,
}))

const exampleProvider = {
  entity_id: exampleIdp,
  sso_url: 'https://idp.example.com/sso',
  certificates: [exampleCertificate],
}

describeModel(SAMLSetupProvider, () => ({
  description: 'What the metadata of an identity provider says.',
  fields: {
    entity_id: 'The entity ID of the identity provider.',
    sso_url: 'Where users sign in.',
    certificates: 'The certificates that the identity provider signs with.',
  },
  example: exampleProvider,
}))

describeModel(SAMLSetup, () => ({
  description: 'A connection that is being set up, as the holder of its link sees it.',
  fields: {
    name: 'The name of the connection.',
    expires_at: expiresAtDescription,
    service_entity_id: 'The entity ID of this service, which the identity provider needs.',
    assertion_url: 'Where the identity provider sends its responses (ACS URL).',
    metadata_url: 'The metadata of this service.',
    idp: 'What the metadata of the identity provider says. Null before it was sent.',
    domains: 'The email domains of the connection.',
    can_finish: 'Whether the metadata is known and a domain is proven.',
    is_finished: 'Whether the connection is live. The link has ended then.',
  },
  example: {
    name: 'Example Company',
    expires_at: exampleTimes.created,
    service_entity_id: `${exampleUrl}/api/2/auth/saml/2/metadata`,
    assertion_url: `${exampleUrl}/api/2/auth/saml/2/assertion`,
    metadata_url: `${exampleUrl}/api/2/auth/saml/2/metadata`,
    idp: exampleProvider,
    domains: [exampleOf(SAMLDomain)],
    can_finish: true,
    is_finished: false,
  },
}))
