import * as z from 'zod/mini'
import {
  anyText,
  flag,
  id,
  nonEmptyText,
  nullableDateTime,
  text255,
} from '../../../kernel/contract/fields.ts'
import { field, model, openModel } from '../../../kernel/contract/model.ts'
import { domainNameLength } from '../../../kernel/limits/connection-limits.ts'
import {
  exampleCertificate,
  exampleIds,
  exampleServiceCertificate,
  exampleTimes,
} from '../../example-values.models.ts'
import { SessionProvider } from '../../sign-in/sessions.models.ts'

const relayStateDescription =
  docs && 'The value that this service sent with its request, returned unchanged. It names the request.'

// Messages that an identity provider sends through the browser. Some providers add parameters, which are ignored.

/** SAML Bindings 3.5: the fields of the form that carries a response. */
export const SAMLAssertionForm = openModel(
  {
    SAMLResponse: field(
      nonEmptyText,
      docs && 'The response as base64 of XML, signed by the identity provider.',
    ),
    RelayState: field(z.optional(anyText), docs && relayStateDescription),
  },
  docs && {
    description:
      'The form by which a browser brings the response of an identity provider (SAML Bindings 3.5). Other fields are ignored.',
    example: {
      SAMLResponse: 'PHNhbWxwOlJlc3BvbnNlPi4uLjwvc2FtbHA6UmVzcG9uc2U+',
      RelayState: 'ExampleRelayState',
    },
  },
)
export type SAMLAssertionForm = z.output<typeof SAMLAssertionForm>

/** SAML Bindings 3.4: the parameters of a redirect that carries a logout request or response. */
export const SAMLLogoutQuery = openModel(
  {
    SAMLRequest: field(
      z.optional(anyText),
      docs && 'A logout request, deflated and as base64. It ends the matching sessions.',
    ),
    SAMLResponse: field(
      z.optional(anyText),
      docs && 'The answer to a logout request of this service, deflated and as base64.',
    ),
    RelayState: field(z.optional(anyText), docs && relayStateDescription),
    SigAlg: field(
      z.optional(anyText),
      docs && 'The algorithm of the signature, as a URI. Unsigned messages and weak algorithms are refused.',
    ),
    Signature: field(z.optional(anyText), docs && 'The signature over the other parameters, as base64.'),
  },
  docs && {
    description:
      'The parameters by which a browser brings a logout message of an identity provider (SAML Bindings 3.4). Either a request or a response is required. Other parameters are ignored.',
    example: {
      SAMLRequest: 'fVFNa4QwFLz3V0juGpO61Q0aKN1DhW...',
      RelayState: 'ExampleRelayState',
      SigAlg: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      Signature: 'kX0vExampleSignatureThatIsNotValid==',
    },
  },
)
export type SAMLLogoutQuery = z.output<typeof SAMLLogoutQuery>

export const ParseSAMLIDPMetadataRequest = model(
  {
    url: field(
      nonEmptyText,
      docs &&
        'The https URL of the metadata, on port 443 of a public address, at most 2,048 characters. If it describes several identity providers, add `#` and the entity ID of one.',
    ),
  },
  docs && {
    description: 'Metadata of an identity provider to read.',
    example: { url: 'https://idp.example.com/metadata' },
  },
)
export type ParseSAMLIDPMetadataRequest = z.output<typeof ParseSAMLIDPMetadataRequest>

export const ParsedSAMLIDPMetadata = model(
  {
    entity_id: field(nonEmptyText, docs && 'The entity ID of the identity provider.'),
    sso_url: field(nonEmptyText, docs && 'Where browsers are sent to sign in.'),
    certificate: field(
      nonEmptyText,
      docs && 'The certificates that the identity provider signs with, as PEM, one after the other.',
    ),
    slo_url: field(
      z.optional(nonEmptyText),
      docs && 'Where browsers are sent to sign out. Missing if the identity provider has no single logout.',
    ),
  },
  docs && {
    description: 'The settings in the metadata of an identity provider. Send them to create a SAML provider.',
    example: {
      entity_id: 'https://idp.example.com/metadata',
      sso_url: 'https://idp.example.com/sso',
      certificate: exampleCertificate,
      slo_url: 'https://idp.example.com/slo',
    },
  },
)
export type ParsedSAMLIDPMetadata = z.output<typeof ParsedSAMLIDPMetadata>

/** An account at an identity provider that signs a user in. */
export const SAMLAccount = model(
  {
    id: field(
      id,
      docs &&
        'The ID of the account. It is unique among the accounts of one user. Use it to unlink the account.',
    ),
    provider: field(SessionProvider, docs && 'The SAML provider of the account.'),
    name: field(
      nonEmptyText,
      docs &&
        'What people recognize the account by: the email address or username that the identity provider sent, otherwise its name for the user.',
    ),
    linked_at: field(
      nullableDateTime,
      docs && 'When the user linked the account: ISO 8601, UTC. Null for the account that created the user.',
    ),
    last_used_at: field(
      nullableDateTime,
      docs &&
        'When the account last signed its user in: ISO 8601, UTC, with a precision of an hour. Null if it was not used since it was linked.',
    ),
  },
  docs && {
    description: 'An account at an identity provider that signs a user in here.',
    example: {
      id: exampleIds.samlAccount,
      provider: { id: exampleIds.samlProvider, name: 'Example Corp' },
      name: 'ada@example.com',
      linked_at: exampleTimes.linkCreated,
      last_used_at: exampleTimes.signedIn,
    },
  },
)
export type SAMLAccount = z.output<typeof SAMLAccount>

/** An account at an identity provider to link. */
export const SAMLAccountCreate = model(
  {
    provider: field(id, docs && 'The ID of the SAML provider or OpenID Connect connection.'),
    name: field(
      text255,
      docs &&
        'The name that the provider sends for the person, exactly: the name ID, the value of `nameid_attribute` if the provider has one, or the `sub` of OpenID Connect.',
    ),
  },
  docs && {
    description: 'An account at an identity provider that should sign a user in.',
    example: { provider: exampleIds.samlProvider, name: '5f0c1d9e-4b7a-4f68-9c30-ada000000007' },
  },
)
export type SAMLAccountCreate = z.output<typeof SAMLAccountCreate>

/** Without `confirm`, a new key is generated and published next to the current one. With it, the new key replaces it. */
export const RotateSPKeyRequest = model(
  {
    confirm: field(
      z.optional(flag),
      docs &&
        'Omit it to generate a new key, which the metadata then announces. Send `true` to switch to it, after the identity provider has read the metadata. Default: `false`.',
    ),
  },
  docs && { description: 'A step of a key rotation. The body can be empty.', example: { confirm: true } },
)
export type RotateSPKeyRequest = z.output<typeof RotateSPKeyRequest>

/** The certificate of the key that signs requests, and that of the next key, if there is one. */
export const SPKeyRotation = model(
  {
    sp_certificate: field(
      z.nullable(anyText),
      docs && 'The certificate of the key that signs requests now, as PEM. Null without a key.',
    ),
    next_sp_certificate: field(
      z.nullable(anyText),
      docs && 'The certificate of the new key, as PEM. Null if none waits. The metadata contains both.',
    ),
  },
  docs && {
    description: 'The certificates of this service for a SAML provider, during and after a key rotation.',
    example: { sp_certificate: exampleServiceCertificate, next_sp_certificate: null },
  },
)
export type SPKeyRotation = z.output<typeof SPKeyRotation>

const exampleDomain =
  docs &&
  ({
    domain: 'example.com',
    state: 'proven',
    txt_name: '_latchkey.example.com',
    txt_value: 'latchkey-domain=dGhpcyBpcyBvbmx5IGFuIGV4YW1wbGUu',
    proven_at: exampleTimes.created,
    checked_at: exampleTimes.created,
  } as const)

/** An email domain of a SAML provider. */
export const SAMLDomain = model(
  {
    domain: field(
      nonEmptyText,
      docs && 'The domain in lowercase ASCII, such as `example.com` or `xn--bcher-kva.example`.',
    ),
    state: field(
      z.enum(['pending', 'proven', 'lost', 'vouched']),
      docs &&
        [
          '`pending`: its TXT record was not found yet. `proven`: the record was found.',
          '`lost`: the record was found before, and is missing now. `vouched`: an administrator vouches for it, without a record.',
          'Proven and vouched domains count.',
        ].join(' '),
    ),
    txt_name: field(nonEmptyText, docs && 'The name of the TXT record that proves the domain.'),
    txt_value: field(nonEmptyText, docs && 'What the TXT record must contain.'),
    proven_at: field(
      nullableDateTime,
      docs && 'When the record was last found: ISO 8601, UTC. Null if it never was.',
    ),
    checked_at: field(
      nullableDateTime,
      docs && 'When the DNS last answered: ISO 8601, UTC. Null if it never did.',
    ),
  },
  docs && {
    description: 'An email domain of a SAML provider. Only one provider can have a domain.',
    example: exampleDomain,
  },
)
export type SAMLDomain = z.output<typeof SAMLDomain>

export const NewSAMLDomain = model(
  {
    domain: field(
      text255,
      docs &&
        `The domain of email addresses, of at most ${domainNameLength} characters. A public suffix such as \`co.uk\` is refused.`,
    ),
  },
  docs && { description: 'A domain for a SAML provider.', example: { domain: 'example.com' } },
)
export type NewSAMLDomain = z.output<typeof NewSAMLDomain>
