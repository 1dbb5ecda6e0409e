import * as z from 'zod/mini'
import {
  exampleCredentials,
  exampleFingerprint,
  exampleIds,
  exampleTimes,
  exampleUrl,
} from '../../../accounts/example-values.models.ts'
import { describeModel, exampleOf } from '../../../kernel/contract/describe.ts'
import { exampleDecisionName, shownDescription } from '../../../kernel/contract/descriptions/decision-name.ts'
import {
  dateTime,
  decisionName,
  displayText,
  flag,
  id,
  nonEmptyText,
  nullableDateTime,
  text,
  text255,
} from '../../../kernel/contract/fields.ts'
import { field, model } from '../../../kernel/contract/model.ts'
import { metadataUrlLength } from '../../../kernel/limits/connection-limits.ts'
import { pastedMetadataBytes, setupLinkLifetimeMs } from '../../../kernel/limits/saml-limits.ts'
import { describeDuration } from '../../../kernel/util/time.ts'
import { ConnectionDomain } from '../domains.models.ts'

export const SAMLSetupCertificate = z.strictObject({ expires_at: dateTime, fingerprint: nonEmptyText })
/** Where the directory of the customer sends people. */
export const SAMLSetupDirectory = z.strictObject({ enabled: flag, base_url: nonEmptyText })
/** What the metadata of the identity provider says. */
export const SAMLSetupProvider = z.strictObject({
  entity_id: nonEmptyText,
  sso_url: nonEmptyText,
  slo_url: z.nullable(nonEmptyText),
  metadata_url: z.nullable(nonEmptyText),
  certificates: z.array(SAMLSetupCertificate),
})

const tokenDescription =
  docs &&
  `The value from a set-up link, with the prefix \`lkx_\`. It works for ${describeDuration(setupLinkLifetimeMs)} in the first browser that opens it, until it is revoked or replaced or the set-up is finished.`
const linkIdDescription = docs && 'The ID of the link. It is no secret.'
const expiresAtDescription = docs && 'When the link stops working: ISO 8601, UTC.'
const exampleLink = docs && { id: 'kJ3xExampleX', expires_at: exampleTimes.created }
const exampleIdp = docs && 'https://idp.example.com/metadata'

// Customers set up a connection with a link, without an account.

const allowsDirectory = z.optional(flag)
const allowsDirectoryText =
  'Whether the holder of the link can also turn the directory (SCIM) of the connection on, and create its tokens. Default: false.'

/** The name of a connection that a customer sets up. */
export const NewSAMLSetup = model(
  {
    name: field(displayText(255), docs && 'The name of the customer, which the holder of the link sees.'),
    auto_create_users: field(
      z.optional(flag),
      docs && 'Whether a first sign-in creates a user. Default: false.',
    ),
    allows_directory: field(allowsDirectory, docs && allowsDirectoryText),
    organization_id: field(
      z.optional(z.nullable(id)),
      docs &&
        'The ID of the organization that the connection will belong to, or null. Nobody can change it later. Default: null.',
    ),
  },
  docs && {
    description: 'A connection that a customer sets up.',
    example: { name: 'Example Company', auto_create_users: true },
  },
)

/** What the holder of another link can do. */
export const SAMLSetupLinkRequest = model(
  { allows_directory: field(allowsDirectory, docs && allowsDirectoryText) },
  docs && { description: 'Another set-up link.', example: { allows_directory: true } },
)

export const SAMLSetupLink = model(
  {
    id: field(nonEmptyText, docs && linkIdDescription),
    created_by: field(id, docs && 'The ID of the administrator who created it.'),
    created_at: field(dateTime, docs && 'When it was created: ISO 8601, UTC.'),
    expires_at: field(dateTime, docs && expiresAtDescription),
    used_at: field(
      nullableDateTime,
      docs && 'When its holder last changed something: ISO 8601, UTC. Null if they never did.',
    ),
    opened_at: field(
      nullableDateTime,
      docs &&
        'When a browser opened it first: ISO 8601, UTC. The link works in no other browser. Null if none did.',
    ),
    opened_from: field(
      z.nullable(nonEmptyText),
      docs && 'The IP address of that browser. Null if none opened it.',
    ),
    allows_directory: field(
      flag,
      docs && 'Whether its holder can also turn the directory (SCIM) on, and create its tokens.',
    ),
  },
  docs && {
    description: 'A set-up link of a SAML provider, without its value.',
    example: {
      ...exampleLink,
      created_by: exampleIds.user,
      created_at: exampleTimes.created,
      used_at: null,
      opened_at: exampleTimes.created,
      opened_from: '192.0.2.1',
      allows_directory: false,
    },
  },
)
export type SAMLSetupLink = z.output<typeof SAMLSetupLink>

export const NewSAMLSetupLink = model(
  {
    id: field(nonEmptyText, docs && linkIdDescription),
    saml_provider: field(id, docs && 'The ID of the SAML provider that it sets up.'),
    url: field(
      nonEmptyText,
      docs && 'The link for the customer. The first browser that opens it can set up the connection.',
    ),
    expires_at: field(dateTime, docs && expiresAtDescription),
  },
  docs && {
    description: 'A new set-up link. Its value is shown once.',
    example: {
      ...exampleLink,
      saml_provider: exampleIds.samlProvider,
      url: `${exampleUrl}/setup#token=${exampleCredentials.samlSetup}`,
    },
  },
)
export type NewSAMLSetupLink = z.output<typeof NewSAMLSetupLink>

const exampleToken = docs && { token: exampleCredentials.samlSetup }

export const SAMLSetupToken = model(
  {
    token: field(text255, docs && tokenDescription),
  },
  docs && { description: 'The token of a set-up link.', example: exampleToken },
)

/** Takes live what the page showed. */
export const SAMLSetupFinish = model(
  {
    token: field(text255, docs && tokenDescription),
    shown: field(decisionName, docs && shownDescription),
  },
  docs && {
    description: 'The token of a set-up link, and what its holder saw before they take the connection live.',
    example: { ...exampleToken, shown: exampleDecisionName },
  },
)

export const SAMLSetupMetadata = model(
  {
    token: field(text255, docs && tokenDescription),
    url: field(
      z.optional(text(metadataUrlLength)),
      docs &&
        'The HTTPS URL of the metadata. The service reads it once. It reads it every day after an administrator chooses it as `metadata_url_source`.',
    ),
    xml: field(
      z.optional(text(pastedMetadataBytes)),
      docs &&
        `The metadata, of at most ${pastedMetadataBytes / 1024} KiB. The service does not read it again.`,
    ),
  },
  docs && {
    description: 'The metadata of the identity provider of a customer: either `url` or `xml`.',
    example: { ...exampleToken, url: exampleIdp },
  },
)

/** A test sign-in that the holder of a link made. */
export const SAMLSetupTest = model(
  {
    token: field(text255, docs && tokenDescription),
    test: field(text255, docs && 'The ID of the test, from the address of the page: `#test=`.'),
  },
  docs && {
    description: 'A test sign-in that was made with a set-up link.',
    example: { ...exampleToken, test: '_4f1c2a9be0d3' },
  },
)

export const SAMLSetupDomain = model(
  {
    token: field(text255, docs && tokenDescription),
    domain: field(text255, docs && 'A domain such as `example.com`.'),
  },
  docs && {
    description: 'An email domain of a customer.',
    example: { ...exampleToken, domain: 'example.com' },
  },
)

const exampleCertificate = docs && {
  expires_at: exampleTimes.created,
  fingerprint: exampleFingerprint,
}

if (docs)
  describeModel(SAMLSetupCertificate, () => ({
    description: 'A certificate that an identity provider signs with.',
    fields: {
      expires_at: 'When the certificate expires: ISO 8601, UTC.',
      fingerprint: 'The SHA-256 of the certificate. Compare it with what the identity provider shows.',
    },
    example: exampleCertificate,
  }))

const exampleProvider = docs && {
  entity_id: exampleIdp,
  sso_url: 'https://idp.example.com/sso',
  slo_url: 'https://idp.example.com/slo',
  metadata_url: exampleIdp,
  certificates: [exampleCertificate],
}

if (docs)
  describeModel(SAMLSetupProvider, () => ({
    description: 'What the metadata of an identity provider says.',
    fields: {
      entity_id: 'The entity ID of the identity provider.',
      sso_url: 'Where users sign in.',
      slo_url: 'Where users sign out. Null if the identity provider has no single logout.',
      metadata_url: 'The address that the metadata was read from. Null if it was pasted.',
      certificates: 'The certificates that the identity provider signs with.',
    },
    example: exampleProvider,
  }))

const exampleDirectory = docs && {
  enabled: true,
  base_url: `${exampleUrl}/scim/v2/${exampleIds.samlProvider}`,
}

if (docs)
  describeModel(SAMLSetupDirectory, () => ({
    description: 'The directory of a connection that is being set up (SCIM 2.0).',
    fields: {
      enabled: 'Whether the directory may send people and groups once the connection is live.',
      base_url: 'The address that the directory sends its requests to.',
    },
    example: exampleDirectory,
  }))

/** What the page of a set-up link shows. */
export const SAMLSetup = model(
  {
    name: field(nonEmptyText, docs && 'The name of the connection.'),
    expires_at: field(dateTime, docs && expiresAtDescription),
    service_entity_id: field(
      nonEmptyText,
      docs && 'The entity ID of this service, which the identity provider needs.',
    ),
    assertion_url: field(nonEmptyText, docs && 'Where the identity provider sends its responses (ACS URL).'),
    metadata_url: field(nonEmptyText, docs && 'The metadata of this service.'),
    idp: field(
      z.nullable(SAMLSetupProvider),
      docs && 'What the metadata of the identity provider says. Null before it was sent.',
    ),
    domains: field(z.array(ConnectionDomain), docs && 'The email domains of the connection.'),
    can_finish: field(flag, docs && 'Whether the metadata is known and a domain is proven.'),
    is_finished: field(flag, docs && 'Whether the connection is live. The link has ended then.'),
    awaits_approval: field(
      flag,
      docs && 'Whether an administrator has to approve what was finished before people can sign in with it.',
    ),
    directory: field(
      z.nullable(SAMLSetupDirectory),
      docs && 'The directory of the connection. Null if the link does not include it.',
    ),
    shown: field(
      decisionName,
      docs &&
        'Names the identity provider and the domains of this answer. `finish_saml_setup` needs it, so that nothing else goes live.',
    ),
  },
  docs && {
    description: 'A connection that is being set up, as the holder of its link sees it.',
    example: {
      name: 'Example Company',
      expires_at: exampleTimes.created,
      service_entity_id: `${exampleUrl}/api/2/auth/saml/2/metadata`,
      assertion_url: `${exampleUrl}/api/2/auth/saml/2/assertion`,
      metadata_url: `${exampleUrl}/api/2/auth/saml/2/metadata`,
      idp: exampleProvider,
      domains: [exampleOf(ConnectionDomain)],
      can_finish: true,
      is_finished: false,
      awaits_approval: false,
      directory: exampleDirectory,
      shown: exampleDecisionName,
    },
  },
)
export type SAMLSetup = z.output<typeof SAMLSetup>
