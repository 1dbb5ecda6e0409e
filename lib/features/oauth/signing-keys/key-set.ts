import {
  signingKeyCacheMs,
  signingKeyRetentionMs,
  signingKeyRotationMs,
} from '../../../kernel/limits/limits.ts'
import type { Services } from '../../../services.ts'
import { listSigningKeys, type SigningKeyRecord } from '../signing-keys.records.ts'

/** A public key as clients verify with it (RFC 7517 4, RFC 7518 6.3.1). */
export interface PublicJwk {
  readonly kty: 'RSA'
  readonly use: 'sig'
  readonly alg: 'RS256'
  readonly kid: string
  readonly n: string
  readonly e: string
}

/** The keys that verify tokens, newest first. */
export const getKeySet = async (services: Services): Promise<readonly PublicJwk[]> =>
  listPublishedKeys(await getKeys(services), services.now())
    .map(
      ({ kid, modulus, exponent }): PublicJwk => ({
        kty: 'RSA',
        use: 'sig',
        alg: 'RS256',
        kid,
        n: modulus,
        e: exponent,
      }),
    )
    .reverse()

interface CachedKeys {
  readonly at: number
  readonly keys: Promise<readonly SigningKeyRecord[]>
}

const cached = new WeakMap<Services, CachedKeys>()

/**
 * The public parts of all keys, read at most once in `signingKeyCacheMs`. Times decide which of them sign or are published,
 * so a cached list is right even when the key changes. Concurrent calls share one read.
 */
export const getKeys = (services: Services): Promise<readonly SigningKeyRecord[]> => {
  const known = cached.get(services)
  const age = known ? services.now() - known.at : Number.POSITIVE_INFINITY
  // A clock that was set back must not keep the list for longer.
  return known && age >= 0 && age < signingKeyCacheMs ? known.keys : readKeys(services)
}

/** The same, read now. */
export const readKeys = (services: Services): Promise<readonly SigningKeyRecord[]> => {
  const reading = { at: services.now(), keys: listSigningKeys(services.table) }
  cached.set(services, reading)
  // A failure is not cached, so that the next request tries again.
  reading.keys.catch(() => {
    if (cached.get(services) === reading) cached.delete(services)
  })
  return reading.keys
}

/*
 * The state of a key follows from its times. Functions with clocks that differ by seconds may choose different keys for a
 * moment. That is harmless, because both keys are published long before and after.
 */

type SigningTimes = Pick<SigningKeyRecord, 'signsFrom' | 'signsUntil' | 'publishedUntil'>

/** The times of a key that begins to sign at a time in epoch milliseconds. */
export const planTimes = (signsFrom: number): SigningTimes => ({
  signsFrom,
  signsUntil: signsFrom + signingKeyRotationMs,
  publishedUntil: signsFrom + signingKeyRotationMs + signingKeyRetentionMs,
})

/** The key that signs now: of several, the newest. */
export const findCurrentKey = (
  keys: readonly SigningKeyRecord[],
  nowMs: number,
): SigningKeyRecord | undefined =>
  keys.findLast(({ signsFrom, signsUntil }) => signsFrom <= nowMs && nowMs < signsUntil)

/** The key that signs after the current one. A clock that was ahead has created keys of a later time with lower numbers. */
export const findNextKey = (keys: readonly SigningKeyRecord[], nowMs: number): SigningKeyRecord | undefined =>
  keys
    .filter(({ signsFrom, signsUntil }) => signsFrom > nowMs && signsUntil > nowMs)
    .toSorted((a, b) => a.signsFrom - b.signsFrom)[0]

/** The keys that clients need to verify tokens, now and later. */
export const listPublishedKeys = (
  keys: readonly SigningKeyRecord[],
  nowMs: number,
): readonly SigningKeyRecord[] => keys.filter(({ publishedUntil }) => nowMs < publishedUntil)
