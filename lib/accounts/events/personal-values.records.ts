import { createHmac, randomBytes } from 'node:crypto'
import type { PersonalChange } from '../../kernel/contract/field-changes.ts'
import { isSameHash } from '../../kernel/secrets/credentials.ts'
import { eventValuesKey, eventValuesPrefix } from '../../kernel/table/keys/keys.ts'
import { createCodec, decodeListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
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
  const items = await table.getMany(names.map(({ userId, hash }) => eventValuesKey(userId, hash)))
  return new Map(
    items.flatMap((item, at) => {
      const [record] = item ? decodeListed(table, codec, [item]) : []
      const hash = names[at]?.hash ?? ''
      if (!record || !isSameHash(hashValues(record.key, record.values), hash)) return []
      return [[hash, JSON.parse(record.values) as PersonalValues] as const]
    }),
  )
}
