import { toSeconds } from '../../util/durations.ts'
import { isAbsent } from '../engine/expressions.ts'
import { findRecord } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { privateSigningKeyKey, signingKeyKey, signingKeyPrefix } from '../keys/keys.ts'
import { partitions } from '../keys/partitions.ts'
import {
  type PrivateSigningKeyRecord,
  privateSigningKeyCodec,
  type SigningKeyRecord,
  signingKeyCodec,
} from './signing-key-record.ts'

/** The public parts of all keys that are still stored, oldest first. Retired keys stay until their items expire. */
export const listSigningKeys = async (table: Table): Promise<readonly SigningKeyRecord[]> =>
  (await table.list(partitions.signingKeys, signingKeyPrefix)).map(signingKeyCodec.decode)

export const findPrivateSigningKey = (
  table: Table,
  number: number,
): Promise<PrivateSigningKeyRecord | undefined> =>
  findRecord(table, privateSigningKeyCodec, privateSigningKeyKey(number))

/**
 * Stores both parts of a new key, and `extraSteps` in the same transaction.
 *
 * @throws ConditionFailed if there is a key with its number already.
 */
export const addSigningKey = (
  table: Table,
  key: SigningKeyRecord,
  cipher: string,
  extraSteps: readonly Step[],
): Promise<void> => {
  const { number, kid } = key
  return table.transact([
    {
      put: {
        ...signingKeyKey(number),
        ...key,
        expires_at: toSeconds(key.publishedUntil),
        ...signingKeyCodec.stamp,
      },
      condition: isAbsent,
    },
    {
      put: {
        ...privateSigningKeyKey(number),
        ...{ number, kid, cipher },
        expires_at: toSeconds(key.signsUntil),
        ...privateSigningKeyCodec.stamp,
      },
      condition: isAbsent,
    },
    ...extraSteps,
  ])
}

/** Builds the step that changes the times of a key. It fails if they were changed since the key was read. */
export const buildTimesStep = (
  { number, signsFrom, signsUntil, publishedUntil }: SigningKeyRecord,
  times: Pick<SigningKeyRecord, 'signsFrom' | 'signsUntil' | 'publishedUntil'>,
): Step => ({
  update: signingKeyKey(number),
  changes: (x) => ({
    set: [
      `${x.path('signsFrom')} = ${x.value(times.signsFrom)}`,
      `${x.path('signsUntil')} = ${x.value(times.signsUntil)}`,
      `${x.path('publishedUntil')} = ${x.value(times.publishedUntil)}`,
      `${x.path('expires_at')} = ${x.value(toSeconds(times.publishedUntil))}`,
    ],
    condition: [
      `${x.path('signsFrom')} = ${x.value(signsFrom)}`,
      `${x.path('signsUntil')} = ${x.value(signsUntil)}`,
      `${x.path('publishedUntil')} = ${x.value(publishedUntil)}`,
    ].join(' AND '),
  }),
})

export const buildPrivateKeyRemoval = (number: number): Step => ({ delete: privateSigningKeyKey(number) })
