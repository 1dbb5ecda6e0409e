import { createHash } from 'node:crypto'
import {
  freeLoginFailures,
  loginBackOffFirstMs,
  loginBackOffMaxMs,
  loginBackOffRetentionMs,
} from '../limits/limits.ts'
import { isPresent } from '../table/expressions.ts'
import type { Key } from '../table/keys/keys.ts'
import { timedListing } from '../table/keys/listing-keys.ts'
import { partitions } from '../table/keys/partitions.ts'
import { createCodec } from '../table/records.ts'
import type { Table } from '../table/table.ts'
import { type Item, wasCommitted } from '../table/transaction.ts'
import { getRemainingMs, isWithin } from '../util/time.ts'

/** The name of these waits in lists. They are no rate limit that operators can set. */
export const signInDelays = 'signInDelays'

/** The key of the attempts from one place: a network, or a device as `describeDevice` names it. */
export const pairKey = (account: string, place: string): Key =>
  pairKeyOf(
    createHash('sha256')
      .update(JSON.stringify([account, place]))
      .digest('base64url'),
  )

/** The key by the hash of the account and the place. */
export const pairKeyOf = (hash: string): Key => ({ pk: `${partitions.loginPair}${hash}`, sk: 'login-pair' })

/** Consecutive attempts to sign in to one account from one place, which are counted before they are checked. */
export interface PairRecord {
  /** Attempts that were not refunded: wrong ones, and those that are being checked. */
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

/** Clocks of functions differ by less, so that an attempt can seem to be of a later time than now. */
export const clockSkewMs = 15_000

/** Milliseconds until the place may try again. */
export const getPairWaitMs = (pair: PairRecord | undefined, nowMs: number): number => {
  if (!pair || pair.failures < freeLoginFailures) return 0
  const waitMs = Math.min(loginBackOffMaxMs, loginBackOffFirstMs * 2 ** (pair.failures - freeLoginFailures))
  return getRemainingMs(pair.lastAt + waitMs, nowMs, loginBackOffMaxMs + clockSkewMs)
}

/**
 * Notes that an attempt was refused because its place must wait, so that administrators see it. The attempts themselves get
 * the entry of the list, once until they are forgotten, so a flood of refusals writes nothing more. An unknown name is noted
 * as well, without an entry, so that the time of the answer does not reveal it.
 */
export const noteSignInDelay = async (
  table: Table,
  item: Item,
  {
    user,
    network,
    nowMs,
  }: { readonly user: number | undefined; readonly network: string; readonly nowMs: number },
): Promise<void> => {
  if (isWithin(Number(item['limitedSince']), nowMs, loginBackOffRetentionMs)) return
  const attributes = {
    limitedSince: nowMs,
    ...(user === undefined
      ? {}
      : { ...timedListing('rate-limited', item.pk, nowMs), shown: { user, network } }),
  }
  await wasCommitted(
    table.update({ pk: item.pk, sk: item.sk }, (x) => ({
      set: Object.entries(attributes).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
      condition: isPresent(x),
    })),
  )
}
