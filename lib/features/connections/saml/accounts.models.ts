import * as z from 'zod/mini'
import { describeModel } from '../../../kernel/contract/describe.ts'
import {
  anyText,
  flag,
  id,
  nonEmptyText,
  nullableDateTime,
  text255,
} from '../../../kernel/contract/fields.ts'
import { domainNameLength } from '../../../kernel/limits/saml-limits.ts'
import {
  exampleCertificate,
  exampleIds,
  exampleServiceCertificate,
  exampleTimes,
} from '../../example-values.models.ts'
import { SessionProvider } from '../../sign-in/sessions.models.ts'

// Messages that an identity provider sends through the browser. Some providers add parameters, which are ignored.

/** SAML Bindings 3.5: the fields of the form that carries a response. */
export const SAMLAssertionForm = z.object({
  SAMLResponse: nonEmptyText,
  RelayState: z.optional(anyText),
})
export type SAMLAssertionForm = z.output<typeof SAMLAssertionForm>

const relayStateDescription =
  'The value that this service sent with its request, returned unchanged. It names the request.'

describeModel(SAMLAssertionForm, () => ({
  description:
    'The form by which a browser brings the response of an identity provider (SAML Bindings 3.5). Other fields are ignored.',
  fields: {
    SAMLResponse: 'The response as base64 of XML, signed by the identity provider.',
    RelayState: relayStateDescription,
  },
  example: {
    SAMLResponse: 'PHNhbWxwOlJlc3BvbnNlPi4uLjwvc2FtbHA6UmVzcG9uc2U+',
    RelayState: 'ExampleRelayState',
  },
}))

/** SAML Bindings 3.4: the parameters of a redirect that carries a logout request or response. */
export const SAMLLogoutQuery = z.object({
  SAMLRequest: z.optional(anyText),
  SAMLResponse: z.optional(anyText),
  RelayState: z.optional(anyText),
  SigAlg: z.optional(anyText),
  Signature: z.optional(anyText),
})
export type SAMLLogoutQuery = z.output<typeof SAMLLogoutQuery>

describeModel(SAMLLogoutQuery, () => ({
  description:
    'The parameters by which a browser brings a logout message of an identity provider (SAML Bindings 3.4). Either a request or a response is required. Other parameters are ignored.',
  fields: {
    SAMLRequest: 'A logout request, deflated and as base64. It ends the matching sessions.',
    SAMLResponse: 'The answer to a logout request of this service, deflated and as base64.',
    RelayState: relayStateDescription,
    SigAlg: 'The algorithm of the signature, as a URI. Unsigned messages and weak algorithms are refused.',
    Signature: 'The signature over the other parameters, as base64.',
  },
  example: {
    SAMLRequest: 'fVFNa4QwFLz3V0juGpO61Q0aKN1DhW...',
    RelayState: 'ExampleRelayState',
    SigAlg: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    Signature: 'kX0vExampleSignatureThatIsNotValid==',
  },
}))

export const ParseSAMLIDPMetadataRequest = z.strictObject({ url: nonEmptyText })
export type ParseSAMLIDPMetadataRequest = z.output<typeof ParseSAMLIDPMetadataRequest>

describeModel(ParseSAMLIDPMetadataRequest, () => ({
  description: 'Metadata of an identity provider to read.',
  fields: {
    url: 'The https URL of the metadata, on port 443 of a public address, at most 2,048 characters. If it describes several identity providers, add `#` and the entity ID of one.',
  },
  example: { url: 'https://idp.example.com/metadata' },
}))

export const ParsedSAMLIDPMetadata = z.strictObject({
  entity_id: nonEmptyText,
  sso_url: nonEmptyText,
  certificate: nonEmptyText,
  slo_url: z.optional(nonEmptyText),
})
export type ParsedSAMLIDPMetadata = z.output<typeof ParsedSAMLIDPMetadata>

describeModel(ParsedSAMLIDPMetadata, () => ({
  description: 'The settings in the metadata of an identity provider. Send them to create a SAML provider.',
  fields: {
    entity_id: 'The entity ID of the identity provider.',
    sso_url: 'Where browsers are sent to sign in.',
    certificate: 'The certificates that the identity provider signs with, as PEM, one after the other.',
    slo_url: 'Where browsers are sent to sign out. Missing if the identity provider has no single logout.',
  },
  example: {
    entity_id: 'https://idp.example.com/metadata',
    sso_url: 'https://idp.example.com/sso',
    certificate: exampleCertificate,
    slo_url: 'https://idp.example.com/slo',
  },
}))

/** An account at an identity provider that signs a user in. */
export const SAMLAccount = z.strictObject({
  id,
  provider: SessionProvider,
  name: nonEmptyText,
  linked_at: nullableDateTime,
  last_used_at: nullableDateTime,
})
export type SAMLAccount = z.output<typeof SAMLAccount>

describeModel(SAMLAccount, () => ({
  description: 'An account at an identity provider that signs a user in here.',
  fields: {
    id: 'The ID of the account. It is unique among the accounts of one user. Use it to unlink the account.',
    provider: 'The SAML provider of the account.',
    name: 'What people recognize the account by: the email address or username that the identity provider sent, otherwise its name for the user.',
    linked_at: 'When the user linked the account: ISO 8601, UTC. Null for the account that created the user.',
    last_used_at:
      'When the account last signed its user in: ISO 8601, UTC, with a precision of an hour. Null if it was not used since it was linked.',
  },
  example: {
    id: exampleIds.samlAccount,
    provider: { id: exampleIds.samlProvider, name: 'Example Corp' },
    name: 'ada@example.com',
    linked_at: exampleTimes.linkCreated,
    last_used_at: exampleTimes.signedIn,
  },
}))

/** An account at an identity provider to link. */
export const SAMLAccountCreate = z.strictObject({ provider: id, name: text255 })
export type SAMLAccountCreate = z.output<typeof SAMLAccountCreate>

describeModel(SAMLAccountCreate, () => ({
  description: 'An account at an identity provider that should sign a user in.',
  fields: {
    provider: 'The ID of the SAML provider or OpenID Connect connection.',
    name: 'The name that the provider sends for the person, exactly: the name ID, the value of `nameid_attribute` if the provider has one, or the `sub` of OpenID Connect.',
  },
  example: { provider: exampleIds.samlProvider, name: '5f0c1d9e-4b7a-4f68-9c30-ada000000007' },
}))

/** Without `confirm`, a new key is generated and published next to the current one. With it, the new key replaces it. */
export const RotateSPKeyRequest = z.strictObject({ confirm: z.optional(flag) })
export type RotateSPKeyRequest = z.output<typeof RotateSPKeyRequest>

describeModel(RotateSPKeyRequest, () => ({
  description: 'A step of a key rotation. The body can be empty.',
  fields: {
    confirm:
      'Omit it to generate a new key, which the metadata then announces. Send `true` to switch to it, after the identity provider has read the metadata. Default: `false`.',
  },
  example: { confirm: true },
}))

/** The certificate of the key that signs requests, and that of the next key, if there is one. */
export const SPKeyRotation = z.strictObject({
  sp_certificate: z.nullable(anyText),
  next_sp_certificate: z.nullable(anyText),
})
export type SPKeyRotation = z.output<typeof SPKeyRotation>

describeModel(SPKeyRotation, () => ({
  description: 'The certificates of this service for a SAML provider, during and after a key rotation.',
  fields: {
    sp_certificate: 'The certificate of the key that signs requests now, as PEM. Null without a key.',
    next_sp_certificate:
      'The certificate of the new key, as PEM. Null if none waits. The metadata contains both.',
  },
  example: { sp_certificate: exampleServiceCertificate, next_sp_certificate: null },
}))

/** An email domain of a SAML provider. */
export const SAMLDomain = z.strictObject({
  domain: nonEmptyText,
  state: z.enum(['pending', 'proven', 'lost', 'vouched']),
  txt_name: nonEmptyText,
  txt_value: nonEmptyText,
  proven_at: nullableDateTime,
  checked_at: nullableDateTime,
})
export type SAMLDomain = z.output<typeof SAMLDomain>

export const NewSAMLDomain = z.strictObject({ domain: text255 })
export type NewSAMLDomain = z.output<typeof NewSAMLDomain>

const exampleDomain = {
  domain: 'example.com',
  state: 'proven',
  txt_name: '_latchkey.example.com',
  txt_value: 'latchkey-domain=dGhpcyBpcyBvbmx5IGFuIGV4YW1wbGUu',
  proven_at: exampleTimes.created,
  checked_at: exampleTimes.created,
} as const

describeModel(SAMLDomain, () => ({
  description: 'An email domain of a SAML provider. Only one provider can have a domain.',
  fields: {
    domain: 'The domain in lowercase ASCII, such as `example.com` or `xn--bcher-kva.example`.',
    state: [
      '`pending`: its TXT record was not found yet. `proven`: the record was found.',
      '`lost`: the record was found before, and is missing now. `vouched`: an administrator vouches for it, without a record.',
      'Proven and vouched domains count.',
    ].join(' '),
    txt_name: 'The name of the TXT record that proves the domain.',
    txt_value: 'What the TXT record must contain.',
    proven_at: 'When the record was last found: ISO 8601, UTC. Null if it never was.',
    checked_at: 'When the DNS last answered: ISO 8601, UTC. Null if it never did.',
  },
  example: exampleDomain,
}))

describeModel(NewSAMLDomain, () => ({
  description: 'A domain for a SAML provider.',
  fields: {
    domain: `The domain of email addresses, of at most ${domainNameLength} characters. A public suffix such as \`co.uk\` is refused.`,
  },
  example: { domain: 'example.com' },
}))
