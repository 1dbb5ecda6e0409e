import type { Update } from '../../../kernel/table/expressions.ts'
import { oidcConnectionKey, oidcConnectionNameKey, samlDeletionKey } from '../../../kernel/table/keys/keys.ts'
import { idListing, nameListing } from '../../../kernel/table/keys/listing-keys.ts'
import { getIds, getListing, readEntryPages } from '../../../kernel/table/listing.ts'
import { createCodec, findRecord, readListedByIds } from '../../../kernel/table/records.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { EditConflict, type Step } from '../../../kernel/table/transaction.ts'
import { buildDomainSteps, type SamlDomain } from '../domains.records.ts'
import { buildPageEntrySteps } from '../page-entries.records.ts'
import type { ConnectionRules } from '../rules.records.ts'
import { buildTemplateSteps } from '../saml/records.ts'

/** An identity provider that signs users of a company in over OpenID Connect, as stored. */
export interface OidcConnectionRecord extends ConnectionRules {
  readonly kind: 'oidc'
  readonly id: number
  readonly name: string
  readonly normalizedName: string
  readonly disabledInClient: boolean
  readonly issuer: string
  readonly clientId: string
  /** Encrypted for this connection: the secret, or the private key in PEM with `private_key_jwt`. */
  readonly clientSecret: string
  readonly authMethod: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt'
  /** The public key, as JSON text. Null if the connection has a secret. */
  readonly publicJwk?: string | null
  readonly scopes: readonly string[]
  /** The only value of the claim `hd`, in lowercase. Null if the claim does not matter. */
  readonly hostedDomain: string | null
  readonly autoCreateUsers: boolean
  readonly autoCreateGroups: boolean
  readonly autoSyncGroups: boolean
  /** The groups that the connection may use, by name or prefix. Null means none. */
  readonly allowedGroups: readonly string[] | null
  readonly userTemplate: number | null
  readonly domains: readonly SamlDomain[]
  /** Increases with each edit. An edit of an older version is rejected. */
  readonly version: number
}

export type OidcConnectionFields = Omit<OidcConnectionRecord, 'id' | 'kind' | 'version' | 'domains'>

export const oidcConnectionKind = {
  keyOf: oidcConnectionKey,
  codec: createCodec<OidcConnectionRecord>('OpenID Connect connection', {
    kind: 'string',
    id: 'number',
    name: 'string',
    normalizedName: 'string',
    issuer: 'string',
    clientId: 'string',
    clientSecret: 'string',
    authMethod: 'string',
    scopes: 'list',
    autoCreateUsers: 'boolean',
    autoSyncGroups: 'boolean',
    domains: 'list',
    version: 'number',
  }),
}

export const findOidcConnection = (table: Table, id: number): Promise<OidcConnectionRecord | undefined> =>
  findRecord(table, oidcConnectionKind.codec, oidcConnectionKey(id))

/** The connections with these IDs, in their order, to list them. Missing and unreadable ones are undefined. */
export const readOidcConnections = (
  table: Table,
  ids: readonly number[],
): Promise<readonly (OidcConnectionRecord | undefined)[]> => readListedByIds(table, oidcConnectionKind, ids)

/** Reads all connections in order of ID, `limit` at a time. */
export async function* readOidcConnectionPages(
  table: Table,
  limit: number,
): AsyncGenerator<readonly OidcConnectionRecord[]> {
  for await (const entries of readEntryPages(table, getListing('oidc-connection', 'id'), limit)) {
    const connections = await readOidcConnections(table, getIds(entries))
    yield connections.filter((connection) => connection !== undefined)
  }
}

/** The entry in the list by name. Names are not unique. */
const buildNameStep = ({ id, normalizedName }: OidcConnectionRecord): Step => ({
  put: { ...oidcConnectionNameKey(id), ...nameListing('oidc-connection', normalizedName, id), id },
})

/**
 * Creates a connection with an ID from `allocateSamlProviderId`.
 *
 * @throws EditConflict if its user template does not exist.
 */
export const createOidcConnection = async (
  table: Table,
  id: number,
  fields: OidcConnectionFields,
  extraSteps: readonly Step[],
): Promise<OidcConnectionRecord> => {
  const record: OidcConnectionRecord = { ...fields, kind: 'oidc', id, domains: [], version: 1 }
  const item = { ...oidcConnectionKind.codec.encode(record), ...oidcConnectionKey(id) }
  await table.transact([
    { put: { ...item, ...idListing('oidc-connection', id) } },
    buildNameStep(record),
    ...buildPageEntrySteps(undefined, record),
    ...buildTemplateSteps(record.userTemplate),
    ...extraSteps,
  ])
  return record
}

/**
 * Changes a connection as it was read.
 *
 * @throws EditConflict if it was changed or deleted since, or its new user template does not exist.
 * @throws DomainTaken if another connection owns a domain that was proven now.
 */
export const editOidcConnection = async (
  table: Table,
  record: OidcConnectionRecord,
  changes: Partial<OidcConnectionFields & Pick<OidcConnectionRecord, 'domains'>>,
  extraSteps: readonly Step[],
): Promise<OidcConnectionRecord> => {
  const edited = { ...record, ...changes, version: record.version + 1 }
  const update: Update = (x) => ({
    set: Object.entries(
      oidcConnectionKind.codec.encodeChanges(record, { ...changes, version: edited.version }),
    ).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
    condition: `${x.path('version')} = ${x.value(record.version)}`,
  })
  await table.transact([
    { update: oidcConnectionKey(record.id), changes: update, orElse: () => new EditConflict() },
    ...(edited.normalizedName === record.normalizedName ? [] : [buildNameStep(edited)]),
    ...buildDomainSteps(record, edited),
    ...buildPageEntrySteps(record, edited),
    ...buildTemplateSteps(changes.userTemplate ?? null),
    ...extraSteps,
  ])
  return edited
}

/**
 * Deletes a connection. From then on, sign-ins through it fail. `cleanUpDeletedProvider` and `endSessionsOfProvider`
 * delete what remains.
 *
 * @throws EditConflict if it was changed or deleted since it was read.
 */
export const deleteOidcConnection = (
  table: Table,
  connection: OidcConnectionRecord,
  extraSteps: readonly Step[],
): Promise<void> => {
  const { id, version } = connection
  return table.transact([
    {
      delete: oidcConnectionKey(id),
      condition: (x) => `${x.path('version')} = ${x.value(version)}`,
      orElse: () => new EditConflict(),
    },
    { delete: oidcConnectionNameKey(id) },
    ...buildDomainSteps(connection, undefined),
    { put: { ...samlDeletionKey(id) } },
    ...buildPageEntrySteps(connection, undefined),
    ...extraSteps,
  ])
}
