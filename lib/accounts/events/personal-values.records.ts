import { createHmac, randomBytes } from 'node:crypto'
import type { PersonalChange } from '../../kernel/contract/field-changes.ts'
import { isSameHash } from '../../kernel/secrets/credentials.ts'
import { eventValuesKey, eventValuesPrefix, type Key } from '../../kernel/table/keys/keys.ts'
import { readAll } from '../../kernel/table/listing.ts'
import { createCodec, readListed } from '../../kernel/table/records.ts'
import type { Table, TableReads } from '../../kernel/table/table.ts'
import type { Item, Step } from '../../kernel/table/transaction.ts'

/*
 * Names, addresses and attributes of people must not stay in audit events for years: nothing can be taken out of a signed chain. The event
 * has a hash with a key instead. The values and the key stand beside it, with the user, and are deleted with the user or after
 * `auditPersonalDays`. Without the key, nobody can find out by trying which values the hash is of.
 */

/** The values of changed fields before and after, by the name of the field. */
export type PersonalValues = Readonly<Record<string, readonly PersonalChange[]>>

interface PersonalValuesRecord {
  /** When the event happened. Epoch milliseconds. */
  readonly at: number
  readonly key: string
  /** JSON, exactly as it was hashed. */
  readonly values: string
}

const codec = createCodec<PersonalValuesRecord>('values of an audit event', {
  at: 'number',
  key: 'string',
  values: 'string',
})

const hashValues = (key: string, values: string): string =>
  createHmac('sha256', Buffer.from(key, 'base64url')).update(values).digest('base64url')

/** Builds the step that stores values of a user, and their hash for the event. */
export const buildPersonalValues = (
  userId: number,
  personal: PersonalValues,
  at: number,
): { readonly hash: string; readonly step: Step } => {
  const [key, values] = [randomBytes(32).toString('base64url'), JSON.stringify(personal)]
  const hash = hashValues(key, values)
  return { hash, step: { put: { ...eventValuesKey(userId, hash), ...codec.encode({ at, key, values }) } } }
}

/** Whether an item has values of a user, and not an event. */
export const isPersonalValues = ({ sk }: Item): boolean => sk.startsWith(eventValuesPrefix)

/** Names the values of an event. */
export interface ValuesName {
  readonly userId: number
  readonly hash: string
}

/**
 * Reads the values that events name. They are missing if they were erased, or if they are not those that the event was written with.
 */
export const readPersonalValues = async (
  table: Table,
  names: readonly ValuesName[],
): Promise<ReadonlyMap<string, PersonalValues>> => {
  const records = await readListed(table, codec, names.map(toKey))
  return new Map(
    records.flatMap((record, at) => {
      const hash = names[at]?.hash ?? ''
      return record && isGenuine(record, hash) ? [[hash, JSON.parse(record.values) as PersonalValues]] : []
    }),
  )
}

const toKey = ({ userId, hash }: ValuesName): Key => eventValuesKey(userId, hash)

const isGenuine = ({ key, values }: PersonalValuesRecord, hash: string): boolean =>
  isSameHash(hashValues(key, values), hash)

/** The values that an event names, if it names any. An event that was read can have anything. */
export const nameValues = (event: object): readonly ValuesName[] => {
  const { user, valuesHash: hash } = event as { readonly user?: unknown; readonly valuesHash?: unknown }
  return typeof user === 'number' && typeof hash === 'string' ? [{ userId: user, hash }] : []
}

/** Which values are stored, and which of them are not those that their events were written with. All others were erased. */
export const checkPersonalValues = async (
  table: TableReads,
  names: readonly ValuesName[],
): Promise<{ readonly kept: number; readonly changed: readonly ValuesName[] }> => {
  const items = await readAll(table, names.map(toKey))
  const changed = names.filter((name, at) => {
    const item = items[at]
    return item && !isGenuine({ at: 0, key: String(item['key']), values: String(item['values']) }, name.hash)
  })
  return { kept: items.filter((item) => item !== undefined).length, changed }
}
