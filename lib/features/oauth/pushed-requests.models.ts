import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import { anyText, integer, nonEmptyText } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { authorizationFields, clientAssertionFields } from './field-texts.models.ts'
import { AuthorizationRequest } from './flow.models.ts'

const optionalText = z.optional(anyText)

/** RFC 9126 2.1. */
export const PushedAuthorizationRequest = z.object({
  ...AuthorizationRequest.shape,
  client_secret: optionalText,
  client_assertion: optionalText,
  client_assertion_type: optionalText,
})
export type PushedAuthorizationRequest = z.output<typeof PushedAuthorizationRequest>

if (docs)
  describeModel(PushedAuthorizationRequest, () => ({
    description:
      'The parameters of an authorization with the proof of its client (RFC 9126 2.1). Each may occur once. Other parameters are ignored.',
    fields: {
      ...authorizationFields,
      request_uri: 'Not allowed here.',
      client_secret:
        'The secret of a confidential client, which may be in the `Authorization` header instead.',
      ...clientAssertionFields,
    },
    example: {
      client_id: '7-4f1c2ab09d3e5f60718293a4',
      redirect_uri: 'https://app.example.com/callback',
      response_type: 'code',
      scope: 'openid profile',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    },
  }))

/** RFC 9126 2.2. */
export const PushedAuthorization = model(
  {
    request_uri: field(
      nonEmptyText,
      docs && 'The value of `request_uri` for `start_authorization`. It works once.',
    ),
    expires_in: field(integer, docs && 'Seconds until it expires.'),
  },
  docs && {
    description: 'Where the parameters of an authorization are (RFC 9126 2.2).',
    example: {
      request_uri: 'urn:ietf:params:oauth:request_uri:jz3VmvZPkW5TlGwzNCPW7hXGHhbfPzmNmY1gXqbpQ2e',
      expires_in: 60,
    },
  },
)
export type PushedAuthorization = z.output<typeof PushedAuthorization>
