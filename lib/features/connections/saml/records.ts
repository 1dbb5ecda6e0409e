import { ConflictError } from '../../../kernel/errors/errors.ts'
import { isAbsent, isPresent, type Update } from '../../../kernel/table/expressions.ts'
import {
  counterKey,
  type Key,
  oidcConnectionKey,
  samlDeletionKey,
  samlEntityKey,
  samlProviderKey,
  userTemplateKey,
} from '../../../kernel/table/keys/keys.ts'
import { idListing, nameListing } from '../../../kernel/table/keys/listing-keys.ts'
import { getIds, getListing, readEntryPages } from '../../../kernel/table/listing.ts'
import { createCodec, findRecord, idMarkerCodec, readListedByIds } from '../../../kernel/table/records.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { EditConflict, type Step } from '../../../kernel/table/transaction.ts'
import { buildDomainSteps, type SamlDomain } from '../domains.records.ts'
import { buildPageEntrySteps } from '../page-entries.records.ts'
import type { ConnectionRules } from '../rules.records.ts'

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

/** The providers with these IDs, in their order, to list them. Missing and unreadable ones are undefined. */
export const readSamlProviders = (
  table: Table,
  ids: readonly number[],
): Promise<readonly (SamlProviderRecord | undefined)[]> => readListedByIds(table, samlProviderKind, ids)

/**
 * Creates a provider with an ID from `allocateSamlProviderId`.
 *
 * @throws EntityIdTaken if another provider has the entity ID.
 * @throws EditConflict if its user template does not exist.
 */
export const createSamlProvider = async (
  table: Table,
  id: number,
  fields: Omit<SamlProviderFields, 'domains'>,
  extraSteps: readonly Step[],
): Promise<SamlProviderRecord> => {
  const record: SamlProviderRecord = { ...fields, id, domains: [], warnedOf: {}, version: 1 }
  const listing = idListing('saml-provider', id)
  await table.transact([
    { put: { ...samlProviderKind.codec.encode(record), ...samlProviderKey(id), ...listing } },
    buildEntityIdStep(record),
    ...buildPageEntrySteps(undefined, record),
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
 * @throws DomainTaken if another connection owns a domain that was proven now.
 */
export const editSamlProvider = async (
  table: Table,
  record: SamlProviderRecord,
  changes: Partial<SamlProviderFields>,
  extraSteps: readonly Step[],
): Promise<SamlProviderRecord> => {
  const edited = { ...record, ...changes, version: record.version + 1 }
  const update: Update = (x) => ({
    set: Object.entries(
      samlProviderKind.codec.encodeChanges(record, { ...changes, version: edited.version }),
    ).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
    condition: `${x.path('version')} = ${x.value(record.version)}`,
  })
  await table.transact([
    { update: samlProviderKey(record.id), changes: update, orElse: () => new EditConflict() },
    ...buildMarkerSteps(record, edited),
    ...buildDomainSteps(record, edited),
    ...buildPageEntrySteps(record, edited),
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
  provider: SamlProviderRecord,
  extraSteps: readonly Step[],
): Promise<void> => {
  const { id, version } = provider
  return table.transact([
    {
      delete: samlProviderKey(id),
      condition: (x) => `${x.path('version')} = ${x.value(version)}`,
      orElse: () => new EditConflict(),
    },
    { delete: samlEntityKey(getClaimedEntityId(provider)) },
    ...buildDomainSteps(provider, undefined),
    { put: { ...samlDeletionKey(id) } },
    ...buildPageEntrySteps(provider, undefined),
    ...extraSteps,
  ])
}

/** Lets a transaction fail if a provider was changed or deleted since it was read. */
export const buildSameProviderStep = ({
  version,
  ...name
}: ConnectionName & Pick<SamlProviderRecord, 'version'>): Step => ({
  check: getConnectionKey(name),
  condition: (x) => `${x.path('version')} = ${x.value(version)}`,
  orElse: () => new EditConflict(),
})

/** What names a company connection: a SAML provider has no kind. */
export interface ConnectionName {
  readonly id: number
  readonly kind?: 'oidc' | undefined
}

export const getConnectionKey = ({ id, kind }: ConnectionName): Key =>
  kind === 'oidc' ? oidcConnectionKey(id) : samlProviderKey(id)

const unknownEntityIdPrefix = 'urn:latchkey:setup:'

/** The entity ID of a provider whose metadata is not known yet. */
export const getUnknownEntityId = (id: number): string => `${unknownEntityIdPrefix}${id}`

/** Whether an entity ID is one that this service gives to providers. No identity provider can have it. */
export const isUnknownEntityId = (entityId: string): boolean => entityId.startsWith(unknownEntityIdPrefix)

/**
 * The entity ID that no other provider can have. During a set-up it is not that of the metadata, which anyone with a link
 * could send: the holder of a link shuts no one out, and the provider that is live first gets it.
 */
const getClaimedEntityId = ({ id, entityId, setup }: SamlProviderRecord): string =>
  setup ? getUnknownEntityId(id) : entityId

/** The marker of an entity ID. It is also the provider's entry in the list by name. */
const buildMarker = (record: SamlProviderRecord) => ({
  ...samlEntityKey(getClaimedEntityId(record)),
  ...nameListing('saml-provider', record.normalizedName, record.id),
  id: record.id,
})

const buildEntityIdStep = (record: SamlProviderRecord): Step => ({
  put: buildMarker(record),
  condition: isAbsent,
  orElse: () => new EntityIdTaken(),
})

const buildMarkerSteps = (before: SamlProviderRecord, after: SamlProviderRecord): readonly Step[] => {
  const claimed = getClaimedEntityId(before)
  if (claimed !== getClaimedEntityId(after))
    return [buildEntityIdStep(after), { delete: samlEntityKey(claimed) }]
  return before.normalizedName === after.normalizedName ? [] : [{ put: buildMarker(after) }]
}

/**
 * Increases the version of the template that a provider gets. A concurrent deletion of the template, which found no
 * provider with it, then conflicts and finds this one.
 */
export const buildTemplateSteps = (id: number | null): readonly Step[] => {
  if (id === null) return []
  const changes: Update = (x) => ({
    set: [`${x.path('version')} = ${x.path('version')} + ${x.value(1)}`],
    condition: isPresent(x),
  })
  return [{ update: userTemplateKey(id), changes, orElse: () => new EditConflict() }]
}

/** A SAML identity provider as stored. */
export interface SamlProviderRecord extends ConnectionRules {
  readonly id: number
  readonly name: string
  readonly normalizedName: string
  readonly disabledInClient: boolean
  readonly entityId: string
  readonly ssoUrl: string
  readonly sloUrl: string | null
  /** Where responses to its logout requests go if not to `sloUrl`. Comes from its metadata together with `sloUrl`. */
  readonly sloResponseUrl: string | null
  /** The certificates that it signs with: one or several, in PEM. */
  readonly certificate: string
  /** The certificates of this service. The first one that matches the key is in use. */
  readonly spCertificate: string | null
  readonly spCertificateKey: StoredKey | null
  /** The pair that is published already and will be used after the next rotation. */
  readonly nextSpPair: StoredPair | null
  /** The pair that was in use before. Providers may still encrypt for it. */
  readonly previousSpPair: StoredPair | null
  readonly nameidFormat: string
  /** The attribute that identifies a user if the name ID is transient. */
  readonly nameidAttribute: string | null
  readonly autoCreateUsers: boolean
  readonly autoCreateGroups: boolean
  readonly autoSyncGroups: boolean
  readonly domains: readonly SamlDomain[]
  /** The groups that the provider may use, by name or prefix. Null means none. */
  readonly allowedGroups: readonly string[] | null
  readonly userTemplate: number | null
  /**
   * Its set-up link while it is being set up, or null if that was revoked. Until then, no one signs in with it. Null once the
   * holder of a link finished. Missing if an administrator set it up.
   */
  readonly setup?: { readonly link: SetupLink | null } | null
  /** The URL from which its metadata is refreshed daily. Only an administrator chooses it. */
  readonly metadataUrlSource: string | null
  /** The URL that the holder of a set-up link sent. It is not read again before an administrator chooses it. */
  readonly proposedMetadataUrl?: string | null
  /** Whether its metadata was signed by a known certificate. From then on, a signature is required. */
  readonly isMetadataSigned: boolean
  /** How many days before its end the last warning of a certificate was sent, by fingerprint. */
  readonly warnedOf: Readonly<Record<string, number>>
  /** Increases with each edit. An edit of an older version is rejected. */
  readonly version: number
}

/** A link with which the administrator of a customer sets up a provider. */
export interface SetupLink {
  readonly id: string
  readonly hash: string
  /** The ID of the administrator who created it. */
  readonly createdBy: number
  readonly createdAt: number
  readonly expiresAt: number
  /** When its holder last changed something. */
  readonly usedAt: number | null
  /** The browser that opened the link first. No other can use it. Null before that. */
  readonly opened: {
    readonly at: number
    /** The network address. */
    readonly from: string
    /** The hash of the cookie by which the browser proves it. */
    readonly browser: string
  } | null
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

export const samlProviderKind = {
  keyOf: samlProviderKey,
  codec: createCodec<SamlProviderRecord>('SAML provider', {
    id: 'number',
    name: 'string',
    normalizedName: 'string',
    entityId: 'string',
    certificate: 'string',
    autoCreateUsers: 'boolean',
    autoSyncGroups: 'boolean',
    domains: 'list',
    warnedOf: 'map',
    version: 'number',
  }),
}

/** Reads all SAML providers in order of ID, `limit` at a time. */
export async function* readSamlProviderPages(
  table: Table,
  limit: number,
): AsyncGenerator<readonly SamlProviderRecord[]> {
  for await (const entries of readEntryPages(table, getListing('saml-provider', 'id'), limit)) {
    const providers = await readSamlProviders(table, getIds(entries))
    yield providers.filter((provider) => provider !== undefined)
  }
}
