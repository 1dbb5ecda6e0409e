import { type AttributeValue, readDefined } from '../../kernel/contract/stored-attributes.ts'
import { attributeHolderKey, attributeHolderPrefix, userAttributesKey } from '../../kernel/table/keys/keys.ts'
import type { Listing } from '../../kernel/table/listing.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import { buildSettingsStep } from '../../kernel/table/replace-settings.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { foldText } from '../../kernel/util/fold-text.ts'
import type { Stored } from '../../kernel/util/object-fields.ts'
import type { AddedClaim, UserAttributeDefinition } from './attributes.models.ts'
import type { UserRecord } from './stored-user.records.ts'

/*
 * The service defines attributes of its users. A record has their values under keys that are never used twice. So an attribute
 * that takes the name of a removed one begins without values, and no user has to be changed when one is defined or removed:
 * values of removed attributes are ignored, and leave a record with its next change of attributes.
 *
 * One attribute can be searchable. Whether it is follows from its key, so every write of a user knows it without reading the
 * definitions. Each user with a value has an item in the partition of the value.
 *
 * The claims that are added to tokens are in the same item, so that no other change can make an attribute writable or remove it while
 * a claim begins to need it. Tokens do not read this item: each named client has a copy of its claims.
 */

/** A definition as administrators set it. Whether it is searchable is not stored: see `isSearchable`. */
export interface UserAttribute extends Stored<Required<Omit<UserAttributeDefinition, 'is_searchable'>>> {
  /** For example `a7`, or `s7` for a searchable one. */
  readonly key: string
}

/** A claim as administrators set it, with the IDs of those whom it names: another client or API may have the same name later. */
export interface StoredClaim extends Stored<Required<Omit<AddedClaim, 'clients' | 'apis'>>> {
  readonly clients: readonly { readonly id: number; readonly clientId: string }[]
  readonly apis: readonly { readonly id: number; readonly audience: string }[]
}

export interface StoredAttributes {
  readonly attributes: readonly UserAttribute[]
  /** Missing if there were never any. */
  readonly claims?: readonly StoredClaim[]
  /** The number of keys that were given so far. */
  readonly keysUsed: number
  readonly version: number
}

const codec = createCodec<StoredAttributes>('user attributes', {
  attributes: 'list',
  keysUsed: 'number',
  version: 'number',
})

/** The definitions. Undefined if there were never any. */
export const findStoredAttributes = (table: Table): Promise<StoredAttributes | undefined> =>
  findRecord(table, codec, userAttributesKey)

export const findUserAttributes = async (table: Table): Promise<readonly UserAttribute[]> =>
  (await findStoredAttributes(table))?.attributes ?? []

/** Replaces the definitions that were read before. @throws EditConflict if they were changed since */
export const replaceUserAttributes = (
  table: Table,
  before: StoredAttributes | undefined,
  fields: Omit<StoredAttributes, 'version'>,
  extraSteps: readonly Step[],
): Promise<void> => table.transact([buildUserAttributesStep(before, fields), ...extraSteps])

/** Builds the step that replaces the definitions that were read before. */
export const buildUserAttributesStep = (
  before: StoredAttributes | undefined,
  fields: Omit<StoredAttributes, 'version'>,
): Step => buildSettingsStep({ key: userAttributesKey, before, fields: { ...fields } })

export const isSearchable = ({ key }: Pick<UserAttribute, 'key'>): boolean => key.startsWith('s')

/** The users with a value of an attribute, in order of ID, to be read in pages with strong consistency. */
export const getHoldersListing = ({ key }: UserAttribute, value: string): Listing => ({
  pk: attributeHolderKey(key, foldText(value), 0).pk,
  from: attributeHolderPrefix,
  to: `${attributeHolderPrefix}~`,
})

/** Whether a user has a value of an attribute. Upper and lower case are the same. */
export const hasAttribute = (
  { attributes }: Pick<UserRecord, 'attributes'>,
  { key }: UserAttribute,
  value: string,
): boolean => {
  const own = readDefined(attributes).get(key)
  return typeof own === 'string' && foldText(own) === foldText(value)
}

/** Builds the steps that keep the items of searchable values in line with a user's record. */
export const buildHolderSteps = (
  id: number,
  before: string | undefined,
  after: string | undefined,
): readonly Step[] => {
  if (before === after) return []
  const [old, fresh] = [listSearched(before), listSearched(after)]
  return [
    ...[...old].flatMap(([key, value]): Step[] =>
      fresh.get(key) === value ? [] : [{ delete: attributeHolderKey(key, value, id) }],
    ),
    ...[...fresh].flatMap(([key, value]): Step[] =>
      old.get(key) === value ? [] : [{ put: { ...attributeHolderKey(key, value, id) } }],
    ),
  ]
}

const listSearched = (stored = ''): ReadonlyMap<string, string> =>
  new Map(
    [...readDefined(stored)].flatMap(([key, value]: readonly [string, AttributeValue]) =>
      isSearchable({ key }) && typeof value === 'string' ? [[key, foldText(value)] as const] : [],
    ),
  )
