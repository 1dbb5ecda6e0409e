import { ConflictError } from '../../core/errors.ts'
import { isAbsent, type Update } from './expressions.ts'
import {
  counterKey,
  groupKey,
  idListing,
  type Key,
  type NamedKind,
  nameKey,
  nameListing,
  userTemplateKey,
} from './keys.ts'
import type { Table } from './table.ts'
import type { Step } from './transaction.ts'
import { EditConflict } from './transaction-errors.ts'

/** What a record has whose name is unique among its kind, whatever its case. */
export interface UniqueNameRecord {
  readonly id: number
  readonly name: string
  readonly normalizedName: string
  /** Goes up by one with each edit; an edit of an older version is refused. */
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

const keyOf: Readonly<Record<NamedKind, (id: number) => Key>> = {
  group: groupKey,
  'user-template': userTemplateKey,
}

/**
 * Makes a record with the marker of its name, and the steps that `along` makes for its id.
 *
 * @throws NameTaken
 */
export const createUniqueNameRecord = async <Named extends UniqueNameRecord>(
  table: Table,
  kind: NamedKind,
  fields: NewUniqueNameRecord<Named>,
  along: (id: number) => readonly Step[],
): Promise<Named> => {
  const id = await table.next(counterKey(kind))
  const record: UniqueNameRecord = { ...fields, id, version: 1 }
  const place: Step = {
    put: { ...keyOf[kind](id), ...idListing(kind, id), ...record },
    condition: isAbsent,
  }
  await table.transact([place, nameStep(kind, record), ...along(id)])
  return record as Named
}

/**
 * Changes a record as it was read.
 *
 * @throws EditConflict when it was changed or deleted since.
 * @throws NameTaken when another one has the new name.
 */
export const editUniqueNameRecord = async <Named extends UniqueNameRecord>(
  table: Table,
  kind: NamedKind,
  record: Named,
  changes: Partial<NewUniqueNameRecord<Named>>,
  along: readonly Step[],
): Promise<Named> => {
  const edited = { ...record, ...changes, version: record.version + 1 }
  const update: Update = (x) => ({
    set: Object.entries({ ...changes, version: edited.version }).map(
      ([name, value]) => `${x.path(name)} = ${x.value(value)}`,
    ),
    condition: `${x.path('version')} = ${x.value(record.version)}`,
  })
  const rename: readonly Step[] =
    edited.normalizedName === record.normalizedName
      ? []
      : [nameStep(kind, edited), { delete: nameKey(kind, record.normalizedName) }]
  const edit: Step = { update: keyOf[kind](record.id), changes: update, orElse: () => new EditConflict() }
  await table.transact([edit, ...rename, ...along])
  return edited
}

/** Deletes a record and frees its name. @throws EditConflict when it was changed or deleted since. */
export const deleteUniqueNameRecord = (
  table: Table,
  kind: NamedKind,
  record: UniqueNameRecord,
  along: readonly Step[],
): Promise<void> =>
  table.transact([
    {
      delete: keyOf[kind](record.id),
      condition: (x) => `${x.path('version')} = ${x.value(record.version)}`,
      orElse: () => new EditConflict(),
    },
    { delete: nameKey(kind, record.normalizedName) },
    ...along,
  ])

export const findUniqueNameRecord = async <Named extends UniqueNameRecord>(
  table: Table,
  kind: NamedKind,
  id: number,
): Promise<Named | undefined> => (await table.get(keyOf[kind](id))) as Named | undefined

/** The marker of the name, which also bears the record's place in the list by name. */
const nameStep = (kind: NamedKind, { id, normalizedName }: UniqueNameRecord): Step => ({
  put: { ...nameKey(kind, normalizedName), ...nameListing(kind, normalizedName, id), id },
  condition: isAbsent,
  orElse: () => new NameTaken(),
})
