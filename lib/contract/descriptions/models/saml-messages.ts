import { SAMLAssertionForm, SAMLLogoutQuery } from '../../models/saml-messages.ts'
import { describeModel } from '../describe.ts'

const relayState =
  'The value that this service sent with its request, returned unchanged. It names the request.'

export const samlMessagesTexts = [
  describeModel(SAMLAssertionForm, {
    description:
      'The form by which a browser brings the response of an identity provider (SAML Bindings 3.5). Other fields are ignored.',
    fields: {
      SAMLResponse: 'The response as base64 of XML, signed by the identity provider.',
      RelayState: relayState,
    },
    example: {
      SAMLResponse: 'PHNhbWxwOlJlc3BvbnNlPi4uLjwvc2FtbHA6UmVzcG9uc2U+',
      RelayState: 'ExampleRelayState',
    },
  }),
  describeModel(SAMLLogoutQuery, {
    description:
      'The parameters by which a browser brings a logout message of an identity provider (SAML Bindings 3.4). Either a request or a response is required. Other parameters are ignored.',
    fields: {
      SAMLRequest: 'A logout request, deflated and as base64. It ends the matching sessions.',
      SAMLResponse: 'The answer to a logout request of this service, deflated and as base64.',
      RelayState: relayState,
      SigAlg: 'The algorithm of the signature, as a URI. Unsigned messages and weak algorithms are refused.',
      Signature: 'The signature over the other parameters, as base64.',
    },
    example: {
      SAMLRequest: 'fVFNa4QwFLz3V0juGpO61Q0aKN1DhW...',
      RelayState: 'ExampleRelayState',
      SigAlg: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      Signature: 'kX0vExampleSignatureThatIsNotValid==',
    },
  }),
]
