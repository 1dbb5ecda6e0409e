import { RotateSPKeyRequest, SPKeyRotation } from '../../models/saml-sp-key.ts'
import { describeModel } from '../describe.ts'
import { exampleServiceCertificate } from '../example-certificates.ts'

export const samlSpKeyTexts = [
  describeModel(RotateSPKeyRequest, {
    description: 'A step of a key rotation. The body can be empty.',
    fields: {
      confirm:
        'Omit it to generate a new key, which the metadata then announces. Send `true` to switch to it, after the identity provider has read the metadata. Default: `false`.',
    },
    example: { confirm: true },
  }),
  describeModel(SPKeyRotation, {
    description: 'The certificates of this service for a SAML provider, during and after a key rotation.',
    fields: {
      sp_certificate: 'The certificate of the key that signs requests now, as PEM. Null without a key.',
      next_sp_certificate:
        'The certificate of the new key, as PEM. Null if none waits. The metadata contains both.',
    },
    example: { sp_certificate: exampleServiceCertificate, next_sp_certificate: null },
  }),
]
