import { randomUUID } from 'node:crypto'
import { freeLoginFailures, loginBackOffRetentionMs } from '../../kernel/limits/limits.ts'
import type { RateLimit } from '../../kernel/limits/rate-limits.ts'
import { rateKey } from '../../kernel/rates/rates.ts'
import { clockSkewMs, type PairRecord, pairKey, readPair } from '../../kernel/rates/sign-in-delays.ts'
import { isAbsent, type Update } from '../../kernel/table/expressions.ts'
import { emailKey, type Key, signInPolicyKey, usernameKey } from '../../kernel/table/keys/keys.ts'
import { userMarkerCodec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Item, Step } from '../../kernel/table/transaction.ts'
import { getRemainingMs } from '../../kernel/util/time.ts'
import { type StoredSignInPolicy, signInPolicyCodec } from './policy.records.ts'

export interface LoginCountsRequest {
  /** The normalized username. */
  readonly account: string
  readonly network: string
  /** The device that the request names, if it names one. */
  readonly device: string | undefined
  readonly accountFailures: RateLimit
  readonly addressFailures: RateLimit
  /** Whether `account` can be a username at all, so that it can be looked up. */
  readonly hasUsername: boolean
}

export interface LoginCounts {
  readonly pairItem: Item | undefined
  readonly devicePairItem: Item | undefined
  readonly accountCount: Item | undefined
  readonly addressCount: Item | undefined
  /** The ID of the user with this username. */
  readonly userId: number | undefined
  /** The ID of the user with this name as their verified email address. */
  readonly emailUserId: number | undefined
  /** The sign-in policy, if one was ever stored. */
  readonly policy: StoredSignInPolicy | undefined
}

/** Reads everything that is counted for a sign-in, the ID of the user, and the sign-in policy, in one call. */
export const readLoginCounts = async (
  table: Table,
  { account, network, device, accountFailures, addressFailures, hasUsername }: LoginCountsRequest,
): Promise<LoginCounts> => {
  const names = hasUsername ? [usernameKey(account), emailKey(account)] : []
  const [pairItem, accountCount, addressCount, policy, ...others] = await table.getMany([
    pairKey(account, network),
    rateKey(accountFailures, account),
    rateKey(addressFailures, network),
    signInPolicyKey,
    ...names,
    ...(device === undefined ? [] : [pairKey(account, device)]),
  ])
  const [marker, emailMarker] = hasUsername ? others : []
  const userId = userMarkerCodec.decodeOptional(marker)?.userId
  const emailUserId = userMarkerCodec.decodeOptional(emailMarker)?.userId
  return {
    pairItem,
    devicePairItem: others[names.length],
    accountCount,
    addressCount,
    userId,
    emailUserId,
    policy: signInPolicyCodec.decodeOptional(policy),
  }
}

/**
 * Builds the step that counts an attempt before it is checked. It fails if other attempts used up the free ones, or the
 * end of the wait, since the item was read. Then the caller reads it again.
 */
export const buildAttemptStep = (
  key: Key,
  item: Item | undefined,
  nowMs: number,
): { readonly update: Key; readonly changes: Update } => {
  const pair = readPair(item, nowMs)
  const isForgotten = item?.['failures'] !== undefined && !pair
  const changes: Update = (x) => {
    const [failures, lastAt, expiry] = [x.path('failures'), x.path('lastAt'), x.path('expires_at')]
    const base = isForgotten ? x.value(0) : `if_not_exists(${failures}, ${x.value(0)})`
    const isUnchanged = (): string => {
      if (isForgotten)
        return `${expiry} = ${x.value(item?.['expires_at'])} AND ${lastAt} = ${x.value(item?.['lastAt'])}`
      if (pair && pair.failures >= freeLoginFailures)
        return `${failures} = ${x.value(pair.failures)} AND ${lastAt} = ${x.value(pair.lastAt)}`
      return `attribute_not_exists(${failures}) OR ${failures} < ${x.value(freeLoginFailures)}`
    }
    return {
      set: [
        `${failures} = ${base} + ${x.value(1)}`,
        `${lastAt} = ${x.value(nowMs)}`,
        `${expiry} = ${x.value(getPairExpiry(nowMs))}`,
      ],
      remove: isForgotten ? [x.path('settled')] : [],
      condition: isUnchanged(),
    }
  }
  return { update: key, changes }
}

const getPairExpiry = (nowMs: number): number => Math.ceil((nowMs + loginBackOffRetentionMs) / 1000)

/** Builds the step that notes that a counted attempt was wrong. The wait starts now, and others need not wait for it. */
export const buildWrongAttemptStep = (key: Key, nowMs: number): Step => ({
  update: key,
  changes: (x) => ({
    set: [
      `${x.path('settled')} = if_not_exists(${x.path('settled')}, ${x.value(0)}) + ${x.value(1)}`,
      `${x.path('lastAt')} = ${x.value(nowMs)}`,
      `${x.path('expires_at')} = ${x.value(getPairExpiry(nowMs))}`,
    ],
  }),
})

/** Builds a step that takes time and changes nothing. Its item is random, because transactions on one item conflict. */
export const buildIdleStep = (limit: RateLimit): Step => ({
  check: rateKey(limit, randomUUID()),
  condition: isAbsent,
})

/** Builds the step that forgets all attempts of a place. */
export const buildForgetAttemptsStep = (key: Key): Step => ({ delete: key })

/** Builds the step that refunds a counted attempt. */
export const buildRightAttemptStep = (key: Key, nowMs: number): Step => ({
  update: key,
  changes: (x) => ({
    set: [
      `${x.path('failures')} = if_not_exists(${x.path('failures')}, ${x.value(1)}) - ${x.value(1)}`,
      `${x.path('lastAt')} = ${x.value(nowMs)}`,
      `${x.path('expires_at')} = ${x.value(getPairExpiry(nowMs))}`,
    ],
  }),
})

/** An attempt takes less than this, unless the function that checks it was stopped. */
const longestCheckMs = 15_000

/** Whether attempts that are being checked may still turn out right, which ends the wait. */
export const hasPendingAttempts = (pair: PairRecord | undefined, nowMs: number): boolean =>
  pair !== undefined &&
  pair.failures > (pair.settled ?? 0) &&
  getRemainingMs(pair.lastAt + longestCheckMs, nowMs, longestCheckMs + clockSkewMs) > 0
