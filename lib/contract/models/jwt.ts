import * as z from 'zod/mini'
import { integer, nonEmptyText, text255 } from './fields.ts'

export const CreateJWTRequest = z.strictObject({
  /** The server that the JWT is for. The default is this service. */
  audience: z.optional(text255),
})
export type CreateJWTRequest = z.output<typeof CreateJWTRequest>

export const JWT = z.strictObject({
  token: nonEmptyText,
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: integer,
})
export type JWT = z.output<typeof JWT>

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

/** The public keys of the service (RFC 7517 5). */
export const JSONWebKeySet = z.strictObject({ keys: z.array(JSONWebKey) })
export type JSONWebKeySet = z.output<typeof JSONWebKeySet>
