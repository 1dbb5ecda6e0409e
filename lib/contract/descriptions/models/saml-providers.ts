import { certificatesPerField } from '../../../limits/saml-limits.ts'
import {
  SAMLProvider,
  SAMLProviderMini,
  SAMLProviderPartialUpdate,
  SAMLProviderUpdate,
} from '../../models/saml-providers.ts'
import { assignedId, nameRules } from '../common-texts.ts'
import { describeModel, type FieldText } from '../describe.ts'
import { exampleCertificate, exampleServiceCertificate } from '../example-certificates.ts'
import { exampleIds, exampleUrl } from '../example-values.ts'

const onlyAdministrators = 'Only administrators see it.'

const name = `The name of the provider, such as that of the organization. ${nameRules} Default: the entity ID.`
const disabled_in_client =
  'Whether sign-in pages should hide the provider. It is only a hint: signing in through the provider still works. Default: `false`.'

/** The fields that requests set. */
const settable = {
  name,
  disabled_in_client,
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
  metadata_url_source: `The https URL of the metadata of the identity provider, or null. The service reads it every day and adds new certificates. Omitted, it stays as it is. ${onlyAdministrators}`,
  nameid_attribute: `The attribute that identifies a user if their name ID is transient, or null. Omitted, it stays as it is. ${onlyAdministrators}`,
  allowed_groups: `The groups that the provider may add users to: names, or prefixes that end with \`*\`. A group with permissions needs its exact name. \`*\` alone allows all groups without permissions. Null or an empty list allows none, so users join no groups. Default: null. Omitted in a change, it stays as it is. ${onlyAdministrators}`,
  trusted_email_domains: `The domains whose addresses from this provider count as verified, such as \`example.com\`. A subdomain is another domain. List only domains that the organization owns. Omitted, it stays as it is. ${onlyAdministrators}`,
} satisfies Record<string, FieldText>

const minimum = {
  id: `The ID of the SAML provider. ${assignedId}`,
  name,
  disabled_in_client,
  login_url:
    'The URL that starts a sign-in. Open it in a browser, with the page to return to as `return_to`.',
  logout_url: 'The URL that ends the session here and at the identity provider. Open it in a browser.',
}

const serviceUrl = `${exampleUrl}/api/2/auth/saml/${exampleIds.samlProvider}`

const exampleMinimum = {
  id: exampleIds.samlProvider,
  name: 'Example Corp',
  disabled_in_client: false,
  login_url: `${serviceUrl}/sso`,
  logout_url: `${serviceUrl}/sls`,
}

const exampleSettings = {
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
  trusted_email_domains: ['example.com'],
}

export const samlProvidersTexts = [
  describeModel(SAMLProviderMini, {
    description: 'What a sign-in page needs of a SAML provider.',
    fields: minimum,
    example: exampleMinimum,
  }),
  describeModel(SAMLProvider, {
    description:
      'An identity provider of an organization, which signs its users in with SAML 2.0. Everyone can read it, because sign-in pages need it. Some fields are only for administrators.',
    fields: {
      ...settable,
      ...minimum,
      metadata_url:
        'The URL of the metadata of this service. It is also the entity ID of the service. Register it at the identity provider.',
      assertion_url:
        'The URL that the identity provider sends its responses to (assertion consumer service).',
    },
    example: {
      ...exampleMinimum,
      ...exampleSettings,
      auto_create_groups: false,
      metadata_url: `${serviceUrl}/metadata`,
      assertion_url: `${serviceUrl}/assertion`,
      sp_certificate: exampleServiceCertificate,
      sp_certificate_key: '********',
      nameid_attribute: null,
    },
  }),
  describeModel(SAMLProviderUpdate, {
    description:
      'A new SAML provider, or all settable fields of an existing one. Omitted fields get their defaults, unless their description says otherwise.',
    fields: settable,
    example: exampleSettings,
  }),
  describeModel(SAMLProviderPartialUpdate, {
    description: 'Changes of a SAML provider. Omitted fields keep their values.',
    fields: settable,
    example: { auto_create_users: false },
  }),
]
