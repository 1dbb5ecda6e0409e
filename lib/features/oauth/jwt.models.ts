import * as z from 'zod/mini'
import { exampleCredentials, exampleProductUrl } from '../../accounts/example-values.models.ts'
import { integer, nonEmptyText, text255 } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'

export const CreateJWTRequest = model(
  {
    audience: field(
      z.optional(text255),
      docs && {
        description:
          'The server that accepts the JWT: the URL of this service, which is the default, or one of the audiences that the operator allows. It must match exactly.',
        example: exampleProductUrl,
      },
    ),
  },
  docs && {
    description: 'The terms of a new JWT. The body can be empty.',
    example: { audience: exampleProductUrl },
  },
)
export type CreateJWTRequest = z.output<typeof CreateJWTRequest>

export const JWT = model(
  {
    token: field(
      nonEmptyText,
      docs && {
        description:
          'The JWT (RFC 7519, RFC 9068), signed with RS256. Send it to other servers as a bearer credential. This service does not accept it.',
        example: exampleCredentials.jwt,
      },
    ),
    token_type: field(z.literal('Bearer'), docs && 'How to send the token: always `Bearer` (RFC 6750).'),
    expires_in: field(
      integer,
      docs && {
        description:
          'Seconds until the JWT expires: 600, or less if the session, the API token or the user ends earlier.',
        example: 600,
      },
    ),
  },
  docs && {
    description:
      'A signed token that states who the caller is. Any server can verify it with the keys of `get_jwks`. It cannot be revoked, so it is valid for 10 minutes at most.',
    example: { token: exampleCredentials.jwt, token_type: 'Bearer' as const, expires_in: 600 },
  },
)
export type JWT = z.output<typeof JWT>

const exampleKey = docs && {
  kty: 'RSA' as const,
  use: 'sig' as const,
  alg: 'RS256' as const,
  kid: 'ThisIsAnExampleKeyIdOf43CharactersAndNotReal',
  n: 'ThisIsAnExampleModulus',
  e: 'AQAB',
}

/** A public key (RFC 7517 4). */
export const JSONWebKey = model(
  {
    kty: field(z.literal('RSA'), docs && 'The type of the key: always `RSA`.'),
    use: field(z.literal('sig'), docs && 'What the key is for: always `sig`, signatures.'),
    alg: field(
      z.literal('RS256'),
      docs && 'The only algorithm that the key signs with: `RS256`. Refuse JWTs that name another one.',
    ),
    kid: field(
      nonEmptyText,
      docs && {
        description: 'The ID of the key: its thumbprint (RFC 7638). The header of a JWT names it.',
        example: exampleKey.kid,
      },
    ),
    n: field(
      nonEmptyText,
      docs && { description: 'The modulus of the key, base64url.', example: exampleKey.n },
    ),
    e: field(
      nonEmptyText,
      docs && { description: 'The exponent of the key, base64url.', example: exampleKey.e },
    ),
  },
  docs && { description: 'A public key that verifies JWTs of this service (RFC 7517).', example: exampleKey },
)
export type JSONWebKey = z.output<typeof JSONWebKey>

/** The public keys of the service (RFC 7517 5). */
export const JSONWebKeySet = model(
  {
    keys: field(
      z.array(JSONWebKey),
      docs && 'The keys. Choose the one whose `kid` the header of the JWT names.',
    ),
  },
  docs && {
    description:
      'The keys that verify JWTs, newest first. It contains the present key, the next one, and earlier ones whose JWTs are still valid.',
    example: { keys: [exampleKey] },
  },
)
export type JSONWebKeySet = z.output<typeof JSONWebKeySet>
