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
import { readAll } from '../engine/listing.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { EditConflict } from '../engine/transaction-errors.ts'

/** A SAML identity provider as stored. */
export interface SamlProviderRecord {
  readonly id: number
  readonly name: string
  readonly normalizedName: string
  readonly disabledInClient: boolean
  readonly entityId: string
  readonly ssoUrl: string
  readonly sloUrl: string | null
  /** Where its metadata says that answers to its own logout messages go, if not there; as long as `sloUrl` is what it says. */
  readonly sloResponseUrl: string | null
  /** One or several, as they were given: what it signs with. */
  readonly certificate: string
  /** The same of ours; the first that fits the key is the one in use. */
  readonly spCertificate: string | null
  readonly spCertificateKey: StoredKey | null
  /** The pair that is published already and will be used once it is switched to. */
  readonly nextSpPair: StoredPair | null
  /** The pair that was in use before: partners may encrypt for it for a while. */
  readonly previousSpPair: StoredPair | null
  readonly nameidFormat: string
  /** The attribute that says who a user is where the name ID is transient. */
  readonly nameidAttribute: string | null
  readonly autoCreateUsers: boolean
  readonly autoCreateGroups: boolean
  readonly autoSyncGroups: boolean
  readonly userTemplate: number | null
  /** Where its metadata is read again every day. */
  readonly metadataUrlSource: string | null
  /** Whether its metadata was signed by a certificate that was known; from then on it must be. */
  readonly isMetadataSigned: boolean
  /** Days before its end that a certificate was warned of at last, by fingerprint. */
  readonly warnedOf: Readonly<Record<string, number>>
  /** Goes up by one with each edit; an edit of an older version is refused. */
  readonly version: number
}

/** A private key, encrypted for its provider, and the fingerprint of its public key. */
export interface StoredKey {
  readonly cipher: string
  readonly fingerprint: string
}

export interface StoredPair {
  readonly certificate: string
  readonly key: StoredKey
}

export type SamlProviderFields = Omit<SamlProviderRecord, 'id' | 'version' | 'warnedOf'>

/** Another provider has this entity ID. */
export class EntityIdTaken extends ConflictError {
  constructor() {
    super('entity_id_taken', 'another provider has this entity ID')
    this.name = 'EntityIdTaken'
  }
}

export const nextSamlProviderId = (table: Table): Promise<number> => table.next(counterKey('saml-provider'))

export const findSamlProvider = async (table: Table, id: number): Promise<SamlProviderRecord | undefined> =>
  (await table.get(samlProviderKey(id))) as SamlProviderRecord | undefined

/** The id of the provider that has this entity id. */
export const findSamlProviderId = async (table: Table, entityId: string): Promise<number | undefined> =>
  (await table.get(samlEntityKey(entityId)))?.['id'] as number | undefined

/** The providers of these ids, each in its place; undefined for one that is gone. */
export const readSamlProviders = async (
  table: Table,
  ids: readonly number[],
): Promise<readonly (SamlProviderRecord | undefined)[]> =>
  (await readAll(table, ids.map(samlProviderKey))) as unknown as readonly (SamlProviderRecord | undefined)[]

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
