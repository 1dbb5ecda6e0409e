import * as z from 'zod/mini'
import { exampleCertificate, exampleServiceCertificate } from '../../../accounts/example-values.models.ts'
import { anyText, flag, nonEmptyText } from '../../../kernel/contract/fields.ts'
import { field, model, openModel } from '../../../kernel/contract/model.ts'

const relayStateDescription =
  'The value that this service sent with its request, returned unchanged. It names the request.'

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

/** A SAML response in the form in which a browser posts it. */
export const DiagnoseSAMLResponseRequest = model(
  {
    saml_response: field(nonEmptyText, docs && 'The value of the form field `SAMLResponse`: base64 of XML.'),
    relay_state: field(
      z.optional(anyText),
      docs && 'The value of the form field `RelayState`. It finds the request that the response answers.',
    ),
  },
  docs && {
    description:
      'A SAML response to check without signing anyone in. Copy it from the developer tools of a browser.',
    example: { saml_response: 'PHNhbWxwOlJlc3BvbnNlPi4uLjwvc2FtbHA6UmVzcG9uc2U+' },
  },
)
export type DiagnoseSAMLResponseRequest = z.output<typeof DiagnoseSAMLResponseRequest>
