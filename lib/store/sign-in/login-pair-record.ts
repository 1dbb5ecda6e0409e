import {
  freeLoginFailures,
  loginBackOffFirstMs,
  loginBackOffMaxMs,
  loginBackOffRetentionMs,
} from '../../limits/limits.ts'
import { getRemainingMs } from '../../limits/waits.ts'
import { createCodec } from '../engine/codec.ts'
import type { Item } from '../engine/transaction.ts'

/** Consecutive attempts to sign in to one account from one place, which are counted before they are checked. */
export interface PairRecord {
  /** Attempts that were not taken back: wrong ones, and those that are being checked. */
  readonly failures: number
  /** How many of them are known to be wrong. */
  readonly settled?: number
  /** The time of the latest attempt in epoch milliseconds. */
  readonly lastAt: number
  /** Epoch seconds. From then on, the attempts are forgotten. */
  readonly expires_at: number
}

const pairCodec = createCodec<PairRecord>('login pair', {
  failures: 'number',
  lastAt: 'number',
  expires_at: 'number',
})

/** The attempts of an item, unless they are forgotten. */
export const readPair = (item: Item | undefined, nowMs: number): PairRecord | undefined => {
  if (item?.['failures'] === undefined) return undefined
  const pair = pairCodec.decode(item)
  return getRemainingMs(pair.expires_at * 1000, nowMs, loginBackOffRetentionMs + 1000) > 0 ? pair : undefined
}

/** Milliseconds until the place may try again. */
export const getPairWaitMs = (pair: PairRecord | undefined, nowMs: number): number => {
  if (!pair || pair.failures < freeLoginFailures) return 0
  const waitMs = Math.min(loginBackOffMaxMs, loginBackOffFirstMs * 2 ** (pair.failures - freeLoginFailures))
  return getRemainingMs(pair.lastAt + waitMs, nowMs, loginBackOffMaxMs)
}

/** An attempt takes less than this, unless the function that checks it was stopped. */
const longestCheckMs = 15_000

/** Whether attempts that are being checked may still turn out right, which ends the wait. */
export const hasPendingAttempts = (pair: PairRecord | undefined, nowMs: number): boolean =>
  pair !== undefined &&
  pair.failures > (pair.settled ?? 0) &&
  getRemainingMs(pair.lastAt + longestCheckMs, nowMs, longestCheckMs) > 0
