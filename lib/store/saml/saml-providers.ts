import { ConflictError } from '../../errors/errors.ts'
import { isAbsent, isPresent, type Update } from '../engine/expressions.ts'
import { idMarkerCodec } from '../engine/markers.ts'
import { findRecord, readByIds } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { EditConflict } from '../engine/transaction-errors.ts'
import { counterKey, samlDeletionKey, samlEntityKey, samlProviderKey, userTemplateKey } from '../keys/keys.ts'
import { idListing, nameListing } from '../keys/listing-keys.ts'
import { type SamlProviderFields, type SamlProviderRecord, samlProviderKind } from './saml-provider-record.ts'

/** Another provider has this entity ID. */
export class EntityIdTaken extends ConflictError {
  constructor() {
    super('entity_id_taken', 'another provider has this entity ID')
    this.name = 'EntityIdTaken'
  }
}

export const allocateSamlProviderId = async (table: Table): Promise<number> =>
  (await table.nextIds(counterKey('saml-provider'))).first

export const findSamlProvider = (table: Table, id: number): Promise<SamlProviderRecord | undefined> =>
  findRecord(table, samlProviderKind.codec, samlProviderKind.keyOf(id))

/** The ID of the provider with an entity ID. */
export const findSamlProviderId = async (table: Table, entityId: string): Promise<number | undefined> =>
  (await findRecord(table, idMarkerCodec, samlEntityKey(entityId)))?.id

/** The providers with these IDs, in their order. Missing ones are undefined. */
export const readSamlProviders = (
  table: Table,
  ids: readonly number[],
): Promise<readonly (SamlProviderRecord | undefined)[]> => readByIds(table, samlProviderKind, ids)

/**
 * Creates a provider with an ID from `allocateSamlProviderId`.
 *
 * @throws EntityIdTaken if another provider has the entity ID.
 * @throws EditConflict if its user template does not exist.
 */
export const createSamlProvider = async (
  table: Table,
  id: number,
  fields: SamlProviderFields,
  extraSteps: readonly Step[],
): Promise<SamlProviderRecord> => {
  const record: SamlProviderRecord = { ...fields, id, warnedOf: {}, version: 1 }
  const listing = { ...idListing('saml-provider', id), ...samlProviderKind.codec.stamp }
  await table.transact([
    { put: { ...samlProviderKey(id), ...listing, ...record } },
    buildEntityIdStep(record),
    ...buildTemplateSteps(record.userTemplate),
    ...extraSteps,
  ])
  return record
}

/**
 * Changes a provider as it was read.
 *
 * @throws EditConflict if it was changed or deleted since, or its new user template does not exist.
 * @throws EntityIdTaken if another provider has the new entity ID.
 */
export const editSamlProvider = async (
  table: Table,
  record: SamlProviderRecord,
  changes: Partial<SamlProviderFields>,
  extraSteps: readonly Step[],
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
    ...extraSteps,
  ])
  return edited
}

/**
 * Deletes a provider. From then on, sign-ins through it fail. `cleanUpDeletedProvider` and
 * `endSessionsOfProvider` delete what remains.
 *
 * @throws EditConflict if it was changed or deleted since it was read.
 */
export const deleteSamlProvider = (
  table: Table,
  { id, entityId, version }: SamlProviderRecord,
  extraSteps: readonly Step[],
): Promise<void> =>
  table.transact([
    {
      delete: samlProviderKey(id),
      condition: (x) => `${x.path('version')} = ${x.value(version)}`,
      orElse: () => new EditConflict(),
    },
    { delete: samlEntityKey(entityId) },
    { put: { ...samlDeletionKey(id) } },
    ...extraSteps,
  ])

/** The marker of an entity ID. It is also the provider's entry in the list by name. */
const buildMarker = ({ id, entityId, normalizedName }: SamlProviderRecord) => ({
  ...samlEntityKey(entityId),
  ...nameListing('saml-provider', normalizedName, id),
  id,
})

const buildEntityIdStep = (record: SamlProviderRecord): Step => ({
  put: buildMarker(record),
  condition: isAbsent,
  orElse: () => new EntityIdTaken(),
})

const buildMarkerSteps = (before: SamlProviderRecord, after: SamlProviderRecord): readonly Step[] => {
  if (before.entityId !== after.entityId)
    return [buildEntityIdStep(after), { delete: samlEntityKey(before.entityId) }]
  return before.normalizedName === after.normalizedName ? [] : [{ put: buildMarker(after) }]
}

/**
 * Increases the version of the template that a provider gets. A concurrent deletion of the template, which found no
 * provider with it, then conflicts and finds this one.
 */
const buildTemplateSteps = (id: number | null): readonly Step[] => {
  if (id === null) return []
  const changes: Update = (x) => ({
    set: [`${x.path('version')} = ${x.path('version')} + ${x.value(1)}`],
    condition: isPresent(x),
  })
  return [{ update: userTemplateKey(id), changes, orElse: () => new EditConflict() }]
}
