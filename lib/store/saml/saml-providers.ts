import { ConflictError } from '../../core/errors.ts'
import { isAbsent, isPresent, type Update } from '../engine/expressions.ts'
import {
  counterKey,
  idListing,
  nameListing,
  samlEntityKey,
  samlProviderKey,
  userTemplateKey,
} from '../engine/keys.ts'
import { findRecord, readByIds } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { EditConflict } from '../engine/transaction-errors.ts'
import { idMarkerCodec } from '../records/markers.ts'
import {
  type SamlProviderFields,
  type SamlProviderRecord,
  samlProviderKind,
} from '../records/saml-provider-record.ts'

/** Another provider has this entity ID. */
export class EntityIdTaken extends ConflictError {
  constructor() {
    super('entity_id_taken', 'another provider has this entity ID')
    this.name = 'EntityIdTaken'
  }
}

export const nextSamlProviderId = (table: Table): Promise<number> => table.next(counterKey('saml-provider'))

export const findSamlProvider = (table: Table, id: number): Promise<SamlProviderRecord | undefined> =>
  findRecord(table, samlProviderKind.codec, samlProviderKind.keyOf(id))

/** The id of the provider that has this entity id. */
export const findSamlProviderId = async (table: Table, entityId: string): Promise<number | undefined> =>
  (await findRecord(table, idMarkerCodec, samlEntityKey(entityId)))?.id

/** The providers of these IDs, in their order. Missing ones are undefined. */
export const readSamlProviders = (
  table: Table,
  ids: readonly number[],
): Promise<readonly (SamlProviderRecord | undefined)[]> => readByIds(table, samlProviderKind, ids)

/**
 * Adds a provider with an id of `nextSamlProviderId`, the marker of its entity id, and the steps in `along`.
 *
 * @throws EntityIdTaken when another one has the entity id.
 * @throws EditConflict when its user template is gone by now.
 */
export const createSamlProvider = async (
  table: Table,
  id: number,
  fields: SamlProviderFields,
  along: readonly Step[],
): Promise<SamlProviderRecord> => {
  const record: SamlProviderRecord = { ...fields, id, warnedOf: {}, version: 1 }
  await table.transact([
    { put: { ...samlProviderKey(id), ...idListing('saml-provider', id), ...record } },
    buildEntityIdStep(record),
    ...buildTemplateSteps(record.userTemplate),
    ...along,
  ])
  return record
}

/**
 * Changes a provider as it was read.
 *
 * @throws EditConflict when it was changed or deleted since, or its new user template is gone.
 * @throws EntityIdTaken when another one has the new entity id.
 */
export const editSamlProvider = async (
  table: Table,
  record: SamlProviderRecord,
  changes: Partial<SamlProviderFields>,
  along: readonly Step[],
): Promise<SamlProviderRecord> => {
  const edited = { ...record, ...changes, version: record.version + 1 }
  const update: Update = (x) => ({
    set: Object.entries({ ...changes, version: edited.version }).map(
      ([name, value]) => `${x.path(name)} = ${x.value(value)}`,
    ),
    condition: `${x.path('version')} = ${x.value(record.version)}`,
  })
  await table.transact([
    { update: samlProviderKey(record.id), changes: update, orElse: () => new EditConflict() },
    ...buildMarkerSteps(record, edited),
    ...buildTemplateSteps(changes.userTemplate ?? null),
    ...along,
  ])
  return edited
}

/**
 * Deletes a provider; from then on nobody signs in through it. What it leaves behind is cleared away by
 * `clearProviderLeftovers`.
 *
 * @throws EditConflict when it was changed or deleted since.
 */
export const deleteSamlProvider = (
  table: Table,
  { id, entityId, version }: SamlProviderRecord,
  along: readonly Step[],
): Promise<void> =>
  table.transact([
    {
      delete: samlProviderKey(id),
      condition: (x) => `${x.path('version')} = ${x.value(version)}`,
      orElse: () => new EditConflict(),
    },
    { delete: samlEntityKey(entityId) },
    ...along,
  ])

/** The item that marks an entity id as taken; it also bears the provider's place in the list by name. */
const marker = ({ id, entityId, normalizedName }: SamlProviderRecord) => ({
  ...samlEntityKey(entityId),
  ...nameListing('saml-provider', normalizedName, id),
  id,
})

const buildEntityIdStep = (record: SamlProviderRecord): Step => ({
  put: marker(record),
  condition: isAbsent,
  orElse: () => new EntityIdTaken(),
})

const buildMarkerSteps = (before: SamlProviderRecord, after: SamlProviderRecord): readonly Step[] => {
  if (before.entityId !== after.entityId)
    return [buildEntityIdStep(after), { delete: samlEntityKey(before.entityId) }]
  return before.normalizedName === after.normalizedName ? [] : [{ put: marker(after) }]
}

/**
 * Raises the version of the template that a provider is given. Whoever deletes it at this moment, having seen that no
 * provider has it, loses by that, and looks again.
 */
const buildTemplateSteps = (id: number | null): readonly Step[] => {
  if (id === null) return []
  const changes: Update = (x) => ({
    set: [`${x.path('version')} = ${x.path('version')} + ${x.value(1)}`],
    condition: isPresent(x),
  })
  return [{ update: userTemplateKey(id), changes, orElse: () => new EditConflict() }]
}
