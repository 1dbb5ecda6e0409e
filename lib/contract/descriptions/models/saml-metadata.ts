import { ParsedSAMLIDPMetadata, ParseSAMLIDPMetadataRequest } from '../../models/saml-metadata.ts'
import { describeModel } from '../describe.ts'
import { exampleCertificate } from '../example-certificates.ts'

export const samlMetadataTexts = [
  describeModel(ParseSAMLIDPMetadataRequest, {
    description: 'Metadata of an identity provider to read.',
    fields: {
      url: 'The https URL of the metadata, on port 443 of a public address, at most 2,048 characters. If it describes several identity providers, add `#` and the entity ID of one.',
    },
    example: { url: 'https://idp.example.com/metadata' },
  }),
  describeModel(ParsedSAMLIDPMetadata, {
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
  }),
]
