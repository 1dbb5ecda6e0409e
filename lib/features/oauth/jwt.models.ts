import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import { integer, nonEmptyText, text255 } from '../../kernel/contract/fields.ts'
import { exampleCredentials, exampleProductUrl } from '../example-values.models.ts'

export const CreateJWTRequest = z.strictObject({
  audience: z.optional(text255),
})
export type CreateJWTRequest = z.output<typeof CreateJWTRequest>

describeModel(CreateJWTRequest, () => ({
  description: 'The terms of a new JWT. The body can be empty.',
  fields: {
    audience: {
      description:
        'The server that accepts the JWT: the URL of this service, which is the default, or one of the audiences that the operator allows. It must match exactly.',
      example: exampleProductUrl,
    },
  },
  example: { audience: exampleProductUrl },
}))

export const JWT = z.strictObject({
  token: nonEmptyText,
  token_type: z.literal('Bearer'),
  expires_in: integer,
})
export type JWT = z.output<typeof JWT>

describeModel(JWT, () => ({
  description:
    'A signed token that states who the caller is. Any server can verify it with the keys of `get_jwks`. It cannot be revoked, so it is valid for 10 minutes at most.',
  fields: {
    token: {
      description:
        'The JWT (RFC 7519, RFC 9068), signed with RS256. Send it to other servers as a bearer credential. This service does not accept it.',
      example: exampleCredentials.jwt,
    },
    token_type: 'How to send the token: always `Bearer` (RFC 6750).',
    expires_in: {
      description:
        'Seconds until the JWT expires: 600, or less if the session, the API token or the user ends earlier.',
      example: 600,
    },
  },
  example: { token: exampleCredentials.jwt, token_type: 'Bearer' as const, expires_in: 600 },
}))

/** A public key (RFC 7517 4). */
export const JSONWebKey = z.strictObject({
  kty: z.literal('RSA'),
  use: z.literal('sig'),
  alg: z.literal('RS256'),
  kid: nonEmptyText,
  n: nonEmptyText,
  e: nonEmptyText,
})
export type JSONWebKey = z.output<typeof JSONWebKey>

const exampleKey = {
  kty: 'RSA' as const,
  use: 'sig' as const,
  alg: 'RS256' as const,
  kid: 'ThisIsAnExampleKeyIdOf43CharactersAndNotReal',
  n: 'ThisIsAnExampleModulus',
  e: 'AQAB',
}

describeModel(JSONWebKey, () => ({
  description: 'A public key that verifies JWTs of this service (RFC 7517).',
  fields: {
    kty: 'The type of the key: always `RSA`.',
    use: 'What the key is for: always `sig`, signatures.',
    alg: 'The only algorithm that the key signs with: `RS256`. Refuse JWTs that name another one.',
    kid: {
      description: 'The ID of the key: its thumbprint (RFC 7638). The header of a JWT names it.',
      example: exampleKey.kid,
    },
    n: { description: 'The modulus of the key, base64url.', example: exampleKey.n },
    e: { description: 'The exponent of the key, base64url.', example: exampleKey.e },
  },
  example: exampleKey,
}))

/** The public keys of the service (RFC 7517 5). */
export const JSONWebKeySet = z.strictObject({ keys: z.array(JSONWebKey) })
export type JSONWebKeySet = z.output<typeof JSONWebKeySet>

describeModel(JSONWebKeySet, () => ({
  description:
    'The keys that verify JWTs, newest first. It contains the present key, the next one, and earlier ones whose JWTs are still valid.',
  fields: { keys: 'The keys. Choose the one whose `kid` the header of the JWT names.' },
  example: { keys: [exampleKey] },
}))
