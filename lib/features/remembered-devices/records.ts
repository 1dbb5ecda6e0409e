import { isAbsent, isPresent } from '../../kernel/table/expressions.ts'
import { rememberedDeviceKey, rememberedDevicePrefix, userKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, decodeListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type OrElse, type Step } from '../../kernel/table/transaction.ts'

/** A browser in which a user proved their second factor, so that the next sign-ins there do without. */
export interface RememberedDeviceRecord {
  /** The place among the devices of the user. The number of places limits the number of devices. */
  readonly slot: number
  /** Random within its user, like the ID of a session. */
  readonly id: number
  readonly userId: number
  /** The hash of the part of the cookie that stays the same. A cookie with it and another secret is a copy of an old one. */
  readonly seriesHash: string
  /** The hash of the newest secret. Each use replaces it. */
  readonly hash: string
  /** The hash of the secret that the newest one was given for. It works until the newest one is used. */
  readonly formerHash?: string | undefined
  /** When the second factor was proven. Epoch milliseconds, like all times here. */
  readonly createdAt: number
  /** When the device last did instead of a second factor. */
  readonly lastUsedAt: number | null
  readonly endsAt: number
  /** A device of an earlier epoch does not work: the password was changed since, or all sessions were ended. */
  readonly credentialEpoch: number
  /** Names the set-up of the authenticator app that the user had, or null. The device does not outlive it. */
  readonly authenticator: string | null
  /** Of the last use, or of the creation. */
  readonly address: string
  readonly userAgent: string
  readonly country?: string | undefined
}

const rememberedDeviceCodec = createCodec<RememberedDeviceRecord>('remembered device', {
  slot: 'number',
  id: 'number',
  userId: 'number',
  seriesHash: 'string',
  hash: 'string',
  createdAt: 'number',
  endsAt: 'number',
  credentialEpoch: 'number',
})

const readItems = (table: Table, userId: number) => table.list(userKey(userId).pk, rememberedDevicePrefix)

/** All devices of a user, in one call. Some of them may have ended. */
export const findRememberedDevices = async (
  table: Table,
  userId: number,
): Promise<readonly RememberedDeviceRecord[]> =>
  (await readItems(table, userId)).map(rememberedDeviceCodec.decode)

/** The same to show them, without those that cannot be read. */
export const listRememberedDevices = async (
  table: Table,
  userId: number,
): Promise<readonly RememberedDeviceRecord[]> =>
  decodeListed(table, rememberedDeviceCodec, await readItems(table, userId))

/**
 * Builds the step that stores a device in its slot. It fails with `EditConflict` if the slot does not hold what was read there: the
 * device `before`, or nothing.
 */
export const buildRememberedDeviceStep = (
  device: RememberedDeviceRecord,
  before: RememberedDeviceRecord | undefined,
): Step => ({
  put: {
    ...rememberedDeviceCodec.encode(device),
    // Last, because a device that was read has the key of its item.
    ...rememberedDeviceKey(device.userId, device.slot),
    expires_at: Math.ceil(device.endsAt / 1000),
  },
  condition: before ? (x) => `${x.path('hash')} = ${x.value(before.hash)}` : isAbsent,
  orElse: () => new EditConflict(),
})

/** Builds the step that ends a device. It fails if the device was ended or used since it was read. */
export const buildEndRememberedDeviceStep = (
  { userId, slot, hash }: Pick<RememberedDeviceRecord, 'userId' | 'slot' | 'hash'>,
  orElse?: OrElse,
): Step => ({
  delete: rememberedDeviceKey(userId, slot),
  condition: (x) => `${isPresent(x)} AND ${x.path('hash')} = ${x.value(hash)}`,
  orElse,
})
