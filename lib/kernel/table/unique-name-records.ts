import { ConflictError } from '../errors/errors.ts'
import { isAbsent, type Update } from './expressions.ts'
import { counterKey, type Key, type NamedKind, nameKey } from './keys/keys.ts'
import { idListing, nameListing } from './keys/listing-keys.ts'
import { type Codec, idMarkerCodec } from './records.ts'
import type { Table, TableReads } from './table.ts'
import { buildTotalSteps } from './totals.ts'
import { EditConflict, type Step } from './transaction.ts'

/** A record whose name is unique in its kind, regardless of case. */
export interface UniqueNameRecord {
  readonly id: number
  readonly name: string
  readonly normalizedName: string
  /** Increases with each edit. An edit of an older version is rejected. */
  readonly version: number
}

export type NewUniqueNameRecord<Named extends UniqueNameRecord> = Omit<Named, 'id' | 'version'>

/** Another record of the same kind has this name. */
export class NameTaken extends ConflictError {
  constructor() {
    super('name_taken', 'another record has this name')
    this.name = 'NameTaken'
  }
}

/** A kind of records with unique names. */
export interface UniqueNameKind<Named extends UniqueNameRecord> {
  readonly name: NamedKind
  readonly keyOf: (id: number) => Key
  readonly codec: Codec<Named>
}

/**
 * Creates a record together with the marker of its name and with `extraSteps`, which receives the ID of the record.
 *
 * @throws NameTaken if another record of the kind has the name.
 */
export const createUniqueNameRecord = async <Named extends UniqueNameRecord>(
  table: Table,
  kind: UniqueNameKind<Named>,
  fields: NewUniqueNameRecord<Named>,
  extraSteps: (id: number) => readonly Step[],
): Promise<Named> => {
  const id = await allocateId(table, kind.name)
  return createWithId(table, kind, { id, fields, extraSteps: extraSteps(id) })
}

/** Takes the ID of a new record, for fields that depend on it. */
export const allocateId = async (table: Table, kind: NamedKind): Promise<number> =>
  (await table.nextIds(counterKey(kind))).first

/** The same as `createUniqueNameRecord`, with an ID from `allocateId`. */
export const createWithId = async <Named extends UniqueNameRecord>(
  table: Table,
  kind: UniqueNameKind<Named>,
  {
    id,
    fields,
    extraSteps,
  }: {
    readonly id: number
    readonly fields: NewUniqueNameRecord<Named>
    readonly extraSteps: readonly Step[]
  },
): Promise<Named> => {
  // `Named` is exactly its fields with an ID and a version.
  const record = { ...fields, id, version: 1 } as Named
  const item = { ...kind.codec.encode(record), ...kind.keyOf(id), ...idListing(kind.name, id) }
  const { normalizedName } = fields
  await table.transact([
    { put: item, condition: isAbsent },
    buildNameStep(kind.name, { id, normalizedName }),
    ...countRecords(kind.name, 1),
    ...extraSteps,
  ])
  return record
}

/** The ID of the record of a kind that has a normalized name. */
export const findIdByName = async (
  table: TableReads,
  kind: NamedKind,
  normalizedName: string,
): Promise<number | undefined> =>
  idMarkerCodec.decodeOptional(await table.get(nameKey(kind, normalizedName)))?.id

/** What an edit changes, and the steps that it takes along in its transaction. */
export interface UniqueNameEdit<Named extends UniqueNameRecord> {
  readonly changes: Partial<NewUniqueNameRecord<Named>>
  readonly extraSteps?: readonly Step[]
}

/**
 * Changes a record as it was read.
 *
 * @throws EditConflict if it was changed or deleted since.
 * @throws NameTaken if another record of the kind has the new name.
 */
export const editUniqueNameRecord = async <Named extends UniqueNameRecord>(
  table: Table,
  kind: UniqueNameKind<Named>,
  record: Named,
  { changes, extraSteps = [] }: UniqueNameEdit<Named>,
): Promise<Named> => {
  const edited = { ...record, ...changes, version: record.version + 1 }
  const update: Update = (x) => ({
    set: Object.entries(kind.codec.encodeChanges(record, { ...changes, version: edited.version })).map(
      ([name, value]) => `${x.path(name)} = ${x.value(value)}`,
    ),
    condition: `${x.path('version')} = ${x.value(record.version)}`,
  })
  const rename: readonly Step[] =
    edited.normalizedName === record.normalizedName
      ? []
      : [buildNameStep(kind.name, edited), { delete: nameKey(kind.name, record.normalizedName) }]
  const edit: Step = { update: kind.keyOf(record.id), changes: update, orElse: () => new EditConflict() }
  await table.transact([edit, ...rename, ...extraSteps])
  return edited
}

/** Deletes a record and frees its name. @throws EditConflict if it was changed or deleted since it was read. */
export const deleteUniqueNameRecord = <Named extends UniqueNameRecord>(
  table: Table,
  kind: UniqueNameKind<Named>,
  record: Named,
  extraSteps: readonly Step[],
): Promise<void> =>
  table.transact([
    {
      delete: kind.keyOf(record.id),
      condition: (x) => `${x.path('version')} = ${x.value(record.version)}`,
      orElse: () => new EditConflict(),
    },
    { delete: nameKey(kind.name, record.normalizedName) },
    ...countRecords(kind.name, -1),
    ...extraSteps,
  ])

/** Only groups can be so many that a list does not show how many there are. */
const countRecords = (kind: NamedKind, change: number): readonly Step[] =>
  kind === 'group' ? buildTotalSteps({ group: change }) : []

/** The marker of the name. It is also the record's entry in the list by name. */
const buildNameStep = (
  kind: NamedKind,
  { id, normalizedName }: Pick<UniqueNameRecord, 'id' | 'normalizedName'>,
): Step => ({
  put: { ...nameKey(kind, normalizedName), ...nameListing(kind, normalizedName, id), id },
  condition: isAbsent,
  orElse: () => new NameTaken(),
})
