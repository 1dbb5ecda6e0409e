import { createCodec } from '../engine/codec.ts'
import { timedListing } from '../keys/listing-keys.ts'

/**
 * An API token, in the partition of its owner, so that one call reads both. A custom value does not contain the ID of
 * its owner. It has a marker, which names the owner and keeps the value unique.
 */
export interface ApiTokenRecord {
  readonly hash: string
  readonly id: number
  readonly userId: number
  readonly name: string
  /** Whether the caller chose the value. */
  readonly isChosen: boolean
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number
  readonly lastUsedAt: number | null
  /** The operations and permissions that the token is limited to. Missing means all that its owner may. */
  readonly scopes?: readonly string[]
  /** From then on the token does not authenticate. Missing means never. */
  readonly expiresAt?: number
  readonly version: number
}

export const hasApiTokenExpired = ({ expiresAt }: ApiTokenRecord, nowMs: number): boolean =>
  expiresAt !== undefined && expiresAt <= nowMs

/** The entry of a token in the list of all tokens. It never changes, so uses and new names do not write to the index. */
export const buildApiTokenListing = ({
  hash,
  createdAt,
}: Pick<ApiTokenRecord, 'hash' | 'createdAt'>): ReturnType<typeof timedListing> =>
  timedListing('api-token', hash, createdAt)

export const apiTokenCodec = createCodec<ApiTokenRecord>('API token', {
  hash: 'string',
  id: 'number',
  userId: 'number',
  name: 'string',
  isChosen: 'boolean',
  version: 'number',
})
