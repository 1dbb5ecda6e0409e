import { createHash } from 'node:crypto'
import type { RateLimit } from '../../core/rate-limits.ts'
import type { Condition, Update } from '../engine/expressions.ts'
import { emailKey, type Key, signInPolicyKey, usernameKey } from '../engine/keys.ts'
import { partitions } from '../engine/partitions.ts'
import type { Table } from '../engine/table.ts'
import type { Item, Step } from '../engine/transaction.ts'
import { type PairRecord, pairCodec } from '../records/login-pair-record.ts'
import { userMarkerCodec } from '../records/markers.ts'
import { rateKey } from '../records/rates.ts'
import { type StoredSignInPolicy, signInPolicyCodec } from '../records/sign-in-policy-record.ts'

export const pairKey = (account: string, network: string): Key => ({
  pk: `${partitions.loginPair}${createHash('sha256')
    .update(JSON.stringify([account, network]))
    .digest('base64url')}`,
  sk: 'login-pair',
})

/** The failures of an item, unless they have expired. */
export const readPair = (item: Item | undefined, nowMs: number): PairRecord | undefined =>
  item && Number(item['expires_at']) * 1000 > nowMs ? pairCodec.decode(item) : undefined

export interface LoginCountsRequest {
  /** The normalized username. */
  readonly account: string
  readonly network: string
  readonly accountFailures: RateLimit
  readonly addressFailures: RateLimit
  /** Whether `account` can be a username at all, so that it can be looked up. */
  readonly hasUsername: boolean
}

export interface LoginCounts {
  readonly pairItem: Item | undefined
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
  { account, network, accountFailures, addressFailures, hasUsername }: LoginCountsRequest,
): Promise<LoginCounts> => {
  const [pairItem, accountCount, addressCount, policy, marker, emailMarker] = await table.getMany([
    pairKey(account, network),
    rateKey(accountFailures, account),
    rateKey(addressFailures, network),
    signInPolicyKey,
    ...(hasUsername ? [usernameKey(account), emailKey(account)] : []),
  ])
  const userId = userMarkerCodec.decodeOptional(marker)?.userId
  const emailUserId = userMarkerCodec.decodeOptional(emailMarker)?.userId
  return {
    pairItem,
    accountCount,
    addressCount,
    userId,
    emailUserId,
    policy: signInPolicyCodec.decodeOptional(policy),
  }
}

/** Counts one more failure. Concurrent failures all count. */
export const buildFailureStep = (
  key: Key,
  before: PairRecord | undefined,
  { blockedUntil, forgottenAt }: { readonly blockedUntil: number; readonly forgottenAt: number },
): Step => {
  const changes: Update = (x) => {
    const failures = x.path('failures')
    const count = before ? `if_not_exists(${failures}, ${x.value(0)})` : `${x.value(0)}`
    return {
      set: [
        `${failures} = ${count} + ${x.value(1)}`,
        `${x.path('blockedUntil')} = ${x.value(blockedUntil)}`,
        `${x.path('expires_at')} = ${x.value(Math.ceil(forgottenAt / 1000))}`,
      ],
    }
  }
  return { update: key, changes }
}

/**
 * Lets a sign-in fail if concurrent failures have used up the limit since the failures were read. So of several
 * concurrent attempts, a right password does not help after too many wrong ones. `forgive` also deletes the failures.
 */
export const buildUnfailedStep = (
  key: Key,
  before: PairRecord | undefined,
  { freeFailures, nowMs, forgive }: { freeFailures: number; nowMs: number; forgive: boolean },
): Step => {
  const condition: Condition = (x) => {
    const failures = x.path('failures')
    const limit = Math.max(freeFailures, (before?.failures ?? 0) + 1)
    return [
      `attribute_not_exists(${failures})`,
      `${failures} < ${x.value(limit)}`,
      `${x.path('expires_at')} <= ${x.value(Math.floor(nowMs / 1000))}`,
    ].join(' OR ')
  }
  return before && forgive ? { delete: key, condition } : { check: key, condition }
}
