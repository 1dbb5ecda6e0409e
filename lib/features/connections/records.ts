import { nameOrganization } from '../../accounts/events/records.ts'
import type { ConnectionKindName } from '../../kernel/contract/connection-kinds.ts'
import { isAbsent, isPresent, type Update } from '../../kernel/table/expressions.ts'
import {
  connectionDeletionKey,
  connectionKey,
  connectionNameKey,
  counterKey,
  userTemplateKey,
} from '../../kernel/table/keys/keys.ts'
import { type ConnectionListing, idListing, nameListing } from '../../kernel/table/keys/listing-keys.ts'
import { organizationConnectionKey, organizationKey } from '../../kernel/table/keys/organization-keys.ts'
import { getIds, getListing, readEntryPages } from '../../kernel/table/listing.ts'
import { type Codec, createCodec, readListedByIds } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Item, type OrElse, type Step } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { AttributeSource } from '../provisioning/attribute-sources.models.ts'
import { buildRequiredDomainSteps } from '../sign-in/policy.records.ts'
import { buildSessionReviewStep } from '../sign-in/session-review.records.ts'
import { buildDomainSteps, type ConnectionDomainRecord, requiresMoreDomains } from './domains.records.ts'
import { buildPlaceStep, chooseFreePlace } from './organization-places.records.ts'
import { buildPageEntrySteps } from './page-entries.records.ts'
import { PublicProviderTaken } from './public-connections.records.ts'
import type { FirstSignIn, PublicProvider } from './public-providers.models.ts'
import type { ConnectionSettings } from './stored-settings.records.ts'

/**
 * A connection to the identity provider of a company, as stored. Its protocol adds fields. Fields that requests set have their
 * names on the wire. Others are in camel case, so that none of them gets into a response by mistake.
 */
export interface Connection extends ConnectionSettings {
  /** The protocol that the identity provider speaks. */
  readonly kind: string
  /** The IDs of all kinds are from one sequence. So an ID alone names a connection. */
  readonly id: number
  readonly normalizedName: string
  readonly domains: readonly ConnectionDomainRecord[]
  /**
   * Its set-up link while it is being set up, or null if that was revoked. Until then, no one signs in with it. Null once the
   * holder of a link finished. Missing if an administrator set it up.
   */
  readonly setup?: ConnectionSetup | null | undefined
  /** The provider at which everybody can have an account. Null or missing for that of a company: see `public-connections.ts`. */
  readonly public_provider?: PublicProvider | null | undefined
  /** What happens at the first sign-in of an account at a public provider. */
  readonly first_sign_in?: FirstSignIn | null
  /** Whether members of its organization brought it. It then speaks for the domains that they proved, and for nothing else. */
  readonly isFromOrganization?: true
  /** Its place in its organization. Missing without one. */
  readonly organizationPlace?: number
  /** What the directory of the customer may do. Missing for a connection that never had one. */
  readonly scim?: ScimSettings
  /** Increases with each edit. An edit of an older version is rejected. */
  readonly version: number
}

export interface ConnectionSetup {
  /** Null if it was revoked, and for a connection that needs none. */
  readonly link: SetupLink | null
  /** Whether an administrator of the service has to approve what the organization finished. */
  readonly awaitsApproval?: true
  /** Was live, until an administrator of the service stopped it. Whether its sessions are still ending, or have ended. */
  readonly stopped?: 'ending' | 'ended'
}

/** A link with which the administrator of a customer sets up a connection. */
export interface SetupLink {
  readonly id: string
  readonly hash: string
  /** The ID of the administrator who created it. */
  readonly createdBy: number
  /** The joining of a member who created it in the organization. */
  readonly joining?: string | undefined
  /** Whether its holder can turn the directory on and create its tokens. */
  readonly allowsDirectory?: true
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

/** How a connection takes people from the directory of a customer: see `lib/features/scim`. */
export interface ScimSettings {
  readonly isOn: boolean
  /** Whether the holder of a set-up link turned it on, and nobody else set it since. */
  readonly isFromSetup?: true
  /** What a first sign-in is compared with. */
  readonly matchesTo: 'externalId' | 'userName'
  /** The attribute of a sign-in that has this value. Null for the name that identifies people at the connection. */
  readonly attribute: string | null
  /** Whether sign-ins also create accounts for people whom the directory did not send. */
  readonly createsUnknown: boolean
  /** The roles in its organization that groups of the directory give. */
  readonly groupRoles?: readonly GroupRoles[]
  /** The identifier of the client that can send people with its keys instead of a token. */
  readonly clientId?: string
  /** Whether people may change here what the directory gave: see `kept-by-directory.ts`. */
  readonly allowsLocalChanges?: true
  /** The attributes of people that become attributes of their accounts: see `directory-attributes.ts`. */
  readonly userAttributes?: readonly MappedAttribute[]
}

/** An attribute that accounts get from a directory. */
export interface MappedAttribute {
  readonly from: AttributeSource
  /** The name of the user attribute. */
  readonly to: string
  /** Its key: an attribute that is added later can have the same name. */
  readonly key: string
}

/** What a group of a directory gives to its members. */
export interface GroupRoles {
  /** Its `displayName`, compared without case. */
  readonly group: string
  readonly roles: readonly string[]
}

/** What names a connection. */
export type ConnectionName = Pick<Connection, 'id' | 'kind'>

/** The attributes that each kind of connections has, for its codec. */
export const connectionShape = {
  kind: 'string',
  id: 'number',
  name: 'string',
  normalizedName: 'string',
  auto_create_users: 'boolean',
  auto_sync_groups: 'boolean',
  domains: 'list',
  version: 'number',
} as const

const connectionCodec = createCodec<Connection>('connection', connectionShape)

/** How connections with one protocol are stored. */
export interface ConnectionKind<Record extends Connection> {
  readonly kind: Record['kind'] & ConnectionKindName
  readonly codec: Codec<Record>
  /** Builds the steps that keep what no other connection can have. */
  buildUniqueSteps?(before: Record | undefined, after: Record | undefined): readonly Step[]
}

/** Whether a connection has the fields of a kind. */
export const isOf = <Record extends Connection>(
  { kind }: ConnectionKind<Record>,
  connection: Connection,
): connection is Record => connection.kind === kind

/** The fields that a change of a connection of one kind can set. */
export type ConnectionChanges<Record extends Connection> = Partial<Omit<Record, 'id' | 'kind' | 'version'>>

/** The fields that a change of a connection can set, whatever its protocol is. */
export type SharedChanges = Partial<Omit<Connection, 'id' | 'kind' | 'version' | 'setup'>>

export const getConnectionListing = (kind: string): ConnectionListing => `${kind}-connection`

export const allocateConnectionId = async (table: Table): Promise<number> =>
  (await table.nextIds(counterKey('connection'))).first

/** The connection in an item that was read with others. Undefined if it is missing. */
export const decodeConnection = (item: Item | undefined): Connection | undefined =>
  connectionCodec.decodeOptional(item)

/** Finds the connection with an ID, of any kind. */
export const findConnection = async (table: Table, id: number): Promise<Connection | undefined> =>
  connectionCodec.decodeOptional(await table.get(connectionKey(id)))

/** Finds the connection with an ID if it is of one kind. */
export const findConnectionOf = async <Record extends Connection>(
  table: Table,
  kind: ConnectionKind<Record>,
  id: number,
): Promise<Record | undefined> => readConnectionOf(kind, await table.get(connectionKey(id)))

/** The connection in an item. Undefined if it is missing, or of another kind. */
export const readConnectionOf = <Record extends Connection>(
  { kind, codec }: ConnectionKind<Record>,
  item: Item | undefined,
): Record | undefined => (item?.['kind'] === kind ? codec.decode(item) : undefined)

/** The connections with these IDs, in their order, to show them. Missing and unreadable ones are undefined. */
export const readConnections = (
  table: Table,
  ids: readonly number[],
): Promise<readonly (Connection | undefined)[]> =>
  readListedByIds(table, { codec: connectionCodec, keyOf: connectionKey }, ids)

/** The same for connections of one kind. */
export const readConnectionsOf = <Record extends Connection>(
  table: Table,
  { codec }: ConnectionKind<Record>,
  ids: readonly number[],
): Promise<readonly (Record | undefined)[]> => readListedByIds(table, { codec, keyOf: connectionKey }, ids)

/** Reads all connections of one kind in order of ID, `limit` at a time. */
export async function* readConnectionPages<Record extends Connection>(
  table: Table,
  kind: ConnectionKind<Record>,
  limit: number,
): AsyncGenerator<readonly Record[]> {
  const listing = getListing(getConnectionListing(kind.kind), 'id')
  for await (const entries of readEntryPages(table, listing, limit)) {
    const connections = await readConnectionsOf(table, kind, getIds(entries))
    yield connections.filter((connection) => connection !== undefined)
  }
}

/**
 * Stores a new connection with an ID from `allocateConnectionId`.
 *
 * @throws EditConflict if its user template does not exist, or the sign-in policy was changed at the same time.
 * @throws ConflictError if another connection has what only one can have.
 */
export const createConnection = async <Record extends Connection>(
  table: Table,
  { codec, buildUniqueSteps }: ConnectionKind<Record>,
  given: Record,
  extraSteps: readonly Step[],
): Promise<Record> => {
  const { organization_id: organizationId } = given
  const place = organizationId === null ? undefined : await chooseFreePlace(table, organizationId)
  const record = { ...given, ...omitUndefined({ organizationPlace: place }) }
  await table.transact([
    {
      put: {
        ...codec.encode(record),
        ...connectionKey(record.id),
        ...idListing(getConnectionListing(record.kind), record.id),
      },
      // The ID of a public provider is used again.
      condition: isAbsent,
      orElse: () => new PublicProviderTaken(),
    },
    buildNameStep(record),
    ...(buildUniqueSteps?.(undefined, record) ?? []),
    ...buildDomainSteps(undefined, record),
    ...buildReviewSteps(undefined, record),
    ...(record.required_for_domains ? await buildRequiredDomainSteps(table) : []),
    ...buildPageEntrySteps(undefined, record),
    ...buildTemplateSteps(record.user_template),
    ...buildOrganizationSteps(record),
    ...nameOrganization(extraSteps, organizationId),
  ])
  return record
}

/** Builds the step that asks for a review of open sessions, if a company begins to require its sign-in of people. */
const buildReviewSteps = (before: Connection | undefined, after: Connection): readonly Step[] => {
  const isNewlyRequired = requiresMoreDomains(before, after)
  const isStillExempt = (before?.exempt_users ?? []).every((id) => after.exempt_users.includes(id))
  return isNewlyRequired || (after.required_for_domains && !isStillExempt) ? [buildSessionReviewStep()] : []
}

/**
 * Changes fields that connections of every kind have, of a connection as it was read.
 *
 * @throws EditConflict if it was changed or deleted since, its new user template does not exist, or the first connection that is
 *   required is stored while the sign-in policy changes.
 * @throws DomainTaken if another connection owns a domain that was proven now.
 */
export const editConnection = (
  table: Table,
  connection: Connection,
  changes: SharedChanges,
  extraSteps: readonly Step[],
): Promise<Connection> => edit(table, { codec: connectionCodec }, connection, changes, extraSteps)

/**
 * Changes a connection of one kind as it was read.
 *
 * @throws EditConflict or DomainTaken like `editConnection`
 * @throws ConflictError if another connection has what only one can have.
 */
export const editConnectionOf = <Record extends Connection>(
  table: Table,
  kind: ConnectionKind<Record>,
  connection: Record,
  changes: ConnectionChanges<Record>,
  extraSteps: readonly Step[],
): Promise<Record> => edit(table, kind, connection, changes, extraSteps)

const edit = async <Record extends Connection>(
  table: Table,
  { codec, buildUniqueSteps }: Pick<ConnectionKind<Record>, 'codec' | 'buildUniqueSteps'>,
  connection: Record,
  changes: ConnectionChanges<Record>,
  extraSteps: readonly Step[],
): Promise<Record> => {
  const version = connection.version + 1
  const edited = { ...connection, ...changes, version }
  const update: Update = (x) => ({
    set: Object.entries(codec.encodeChanges(connection, { ...changes, version }))
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
    ...(isSetByAdministrator(changes) && { remove: [x.path('setup')] }),
    condition: `${x.path('version')} = ${x.value(connection.version)}`,
  })
  await table.transact([
    { update: connectionKey(connection.id), changes: update, orElse: () => new EditConflict() },
    ...(edited.normalizedName === connection.normalizedName ? [] : [buildNameStep(edited)]),
    ...(buildUniqueSteps?.(connection, edited) ?? []),
    ...buildDomainSteps(connection, edited),
    ...buildReviewSteps(connection, edited),
    ...(changes.required_for_domains ? await buildRequiredDomainSteps(table) : []),
    ...buildPageEntrySteps(connection, edited),
    ...buildTemplateSteps(changes.user_template ?? null),
    ...nameOrganization(extraSteps, connection.organization_id),
  ])
  return edited
}

/** Whether a change says that no holder of a link decided about the connection: it then has no attribute for it. */
const isSetByAdministrator = (changes: Pick<Connection, 'setup'>): boolean =>
  Object.hasOwn(changes, 'setup') && changes.setup === undefined

/**
 * Deletes a connection. From then on, sign-ins through it fail. `cleanUpDeletedConnection` and `endSessionsOfProvider`
 * delete what remains.
 *
 * @throws EditConflict if it was changed or deleted since it was read.
 */
export const deleteConnection = <Record extends Connection>(
  table: Table,
  { buildUniqueSteps }: ConnectionKind<Record>,
  connection: Record,
  extraSteps: readonly Step[],
): Promise<void> => {
  const { id, version, organization_id: organizationId, organizationPlace: place } = connection
  return table.transact([
    {
      delete: connectionKey(id),
      condition: (x) => `${x.path('version')} = ${x.value(version)}`,
      orElse: () => new EditConflict(),
    },
    { delete: connectionNameKey(id) },
    ...(buildUniqueSteps?.(connection, undefined) ?? []),
    ...buildDomainSteps(connection, undefined),
    { put: { ...connectionDeletionKey(id) } },
    ...(organizationId === null || place === undefined
      ? []
      : [{ delete: organizationConnectionKey(organizationId, place) }]),
    ...buildPageEntrySteps(connection, undefined),
    ...nameOrganization(extraSteps, organizationId),
  ])
}

/** The entry in the list by name. Names are not unique. */
const buildNameStep = ({ kind, id, normalizedName }: Connection): Step => ({
  put: { ...connectionNameKey(id), ...nameListing(getConnectionListing(kind), normalizedName, id), id },
})

/**
 * Increases the version of the template that a connection gets. A concurrent deletion of the template, which found no
 * connection with it, then conflicts and finds this one.
 */
const buildTemplateSteps = (id: number | null): readonly Step[] => {
  if (id === null) return []
  const changes: Update = (x) => ({
    set: [`${x.path('version')} = ${x.path('version')} + ${x.value(1)}`],
    condition: isPresent(x),
  })
  return [{ update: userTemplateKey(id), changes, orElse: () => new EditConflict() }]
}

/** Lets the creation of a connection fail if its organization was deleted. */
const buildOrganizationSteps = ({
  id,
  organization_id: organizationId,
  organizationPlace: place,
}: Connection): readonly Step[] =>
  organizationId === null || place === undefined
    ? []
    : [
        { check: organizationKey(organizationId), condition: isPresent, orElse: () => new EditConflict() },
        buildPlaceStep(organizationId, place, id),
      ]

/** Lets a transaction fail if a connection was changed or deleted since it was read. */
export const buildSameConnectionStep = ({ id, version }: Pick<Connection, 'id' | 'version'>): Step => ({
  check: connectionKey(id),
  condition: (x) => `${x.path('version')} = ${x.value(version)}`,
  orElse: () => new EditConflict(),
})

/** Lets a transaction fail if a connection was deleted, because nothing may be created through it any more. */
export const buildConnectionStep = (id: number, orElse?: OrElse): Step => ({
  check: connectionKey(id),
  condition: isPresent,
  orElse,
})

/** Builds the step that fails with `EditConflict` if a connection was deleted since it was read. */
export const buildExistingConnectionStep = (id: number): Step => ({
  check: connectionKey(id),
  condition: isPresent,
  orElse: () => new EditConflict(),
})
