import { oauthDeviceKeptMs } from '../../kernel/limits/limits.ts'
import { type Changes, type Expressions, isPresent } from '../../kernel/table/expressions.ts'
import { oauthDeviceKey } from '../../kernel/table/keys/oauth-keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type OrElse, type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { toSeconds } from '../../kernel/util/time.ts'
import { buildGrantStep, type OAuthGrantRecord } from './grants.records.ts'
import { hashOAuthValue, type OAuthPayload } from './tokens.records.ts'

/*
 * A device has one item, whose key is the hash of its user code. The device code contains the user code and a secret, so both
 * the person and the device find the item in one call.
 */

/** Stores a device that begins to wait. Returns false if another one has the user code. */
export const storeOAuthDevice = (
  table: Table,
  userCode: string,
  device: OAuthDeviceRecord,
): Promise<boolean> =>
  wasCommitted(
    table.reserve({
      ...oauthDeviceCodec.encode(device),
      ...keyOf(userCode),
      expires_at: toSeconds(device.expiresAt + oauthDeviceKeptMs),
    }),
  )

/** Finds a device, also if it has expired or was used. */
export const findOAuthDevice = (table: Table, userCode: string): Promise<OAuthDeviceRecord | undefined> =>
  findRecord(table, oauthDeviceCodec, keyOf(userCode))

/** Notes a request of a waiting device. Returns false if another request came since `device` was read. */
export const noteDevicePoll = (
  table: Table,
  userCode: string,
  device: OAuthDeviceRecord,
  { intervalMs, nextPollAt }: Required<Pick<OAuthDeviceRecord, 'intervalMs' | 'nextPollAt'>>,
): Promise<boolean> =>
  wasCommitted(
    table.update(keyOf(userCode), (x) => {
      const next = x.path('nextPollAt')
      const isUnchanged =
        device.nextPollAt === undefined
          ? `attribute_not_exists(${next})`
          : `${next} = ${x.value(device.nextPollAt)}`
      return {
        set: [`${x.path('intervalMs')} = ${x.value(intervalMs)}`, `${next} = ${x.value(nextPollAt)}`],
        condition: `${isSame(x, device)} AND ${isUnchanged}`,
      }
    }),
  )

/** What the user decided, with the grant and what its tokens state if they approved. */
export type DeviceDecision =
  | { readonly decision: 'denied' }
  | { readonly decision: 'approved'; readonly grant: OAuthGrantRecord; readonly payload: OAuthPayload }

/** Stores what the user of a device decided. @throws the error of `orElse` if it was decided or has expired before */
export const decideOAuthDevice = (
  table: Table,
  userCode: string,
  device: OAuthDeviceRecord,
  decided: DeviceDecision,
  { nowMs, orElse, extraSteps }: { nowMs: number; orElse: OrElse; extraSteps: readonly Step[] },
): Promise<void> => {
  const grant = decided.decision === 'approved' ? decided.grant : undefined
  const update = (x: Expressions): Changes => ({
    set: [
      `${x.path('decision')} = ${x.value(decided.decision)}`,
      ...(decided.decision === 'approved'
        ? [
            `${x.path('grantId')} = ${x.value(decided.grant.id)}`,
            `${x.path('payload')} = ${x.value(decided.payload)}`,
            // Its second use ends the tokens that the first one gave, as long as they live.
            `${x.path('expires_at')} = ${x.value(toSeconds(Math.max(decided.grant.expiresAt, device.expiresAt + oauthDeviceKeptMs)))}`,
          ]
        : []),
    ],
    condition: `${isSame(x, device)} AND attribute_not_exists(${x.path('decision')}) AND ${x.path('expiresAt')} > ${x.value(nowMs)}`,
  })
  return table.transact([
    { update: keyOf(userCode), changes: update, orElse },
    ...(grant ? [buildGrantStep(grant)] : []),
    ...extraSteps,
  ])
}

/** Uses an approved device. Of any number of concurrent callers, one gets true. */
export const useOAuthDevice = (
  table: Table,
  userCode: string,
  device: OAuthDeviceRecord,
  usedAt: number,
): Promise<boolean> =>
  wasCommitted(
    table.update(keyOf(userCode), (x) => ({
      set: [`${x.path('usedAt')} = ${x.value(usedAt)}`],
      condition: `${isSame(x, device)} AND ${x.path('decision')} = ${x.value('approved')} AND attribute_not_exists(${x.path('usedAt')})`,
    })),
  )

const keyOf = (userCode: string) => oauthDeviceKey(hashOAuthValue(userCode))

/** A later device can have the same user code. */
const isSame = (x: Expressions, { secretHash }: OAuthDeviceRecord): string =>
  `${isPresent(x)} AND ${x.path('secretHash')} = ${x.value(secretHash)}`

/** A device that waits, or waited, for a user to sign in on another one (RFC 8628). */
export interface OAuthDeviceRecord {
  readonly clientId: string
  /** The hash of the secret part of the device code. */
  readonly secretHash: string
  readonly scopes: readonly string[]
  /** The server that the access token is for, as the library names it. */
  readonly resource: string
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number
  readonly expiresAt: number
  /** The time between two requests of the device. It grows if the device asks too often. */
  readonly intervalMs: number
  readonly nextPollAt?: number
  readonly decision?: DeviceDecision['decision']
  readonly grantId?: string
  /** What the tokens state about the sign-in. */
  readonly payload?: OAuthPayload
  readonly usedAt?: number
}

export const oauthDeviceCodec = createCodec<OAuthDeviceRecord>('OpenID Connect device', {
  clientId: 'string',
  secretHash: 'string',
  scopes: 'list',
  resource: 'string',
  createdAt: 'number',
  expiresAt: 'number',
  intervalMs: 'number',
})
