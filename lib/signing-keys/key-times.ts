import { signingKeyRetentionMs, signingKeyRotationMs } from '../limits/limits.ts'
import type { SigningKeyRecord } from '../store/signing-keys/signing-keys.ts'

/*
 * The state of a key follows from its times. Functions with clocks that differ by seconds may choose different keys for a
 * moment. That is harmless, because both keys are published long before and after.
 */

export type SigningTimes = Pick<SigningKeyRecord, 'signsFrom' | 'signsUntil' | 'publishedUntil'>

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
