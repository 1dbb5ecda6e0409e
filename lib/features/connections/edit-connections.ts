import type { Principal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { changeSteps } from '../../accounts/events/change-event.ts'
import { thingSteps } from '../../accounts/events/write-event.ts'
import { buildOwnersNoticeStep } from '../../accounts/outbox/security-notices.ts'
import { diffFields } from '../../accounts/users/user-changes.ts'
import type { AuditedFields } from '../../kernel/contract/field-changes.ts'
import { getIds, getListing, type Page, type PageRequest, readPage } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { requireCallerNotLockedOut } from '../sign-in/required-sign-in.ts'
import { getProtocol } from './protocols.ts'
import {
  type Connection,
  type ConnectionChanges,
  type ConnectionKind,
  createConnection,
  editConnectionOf,
  getConnectionListing,
  readConnectionsOf,
} from './records.ts'

/** Reads a part of the list of the connections of one kind. It is shorter by those that are not shown. */
export const readConnectionPage = <Record extends Connection>(
  table: Table,
  kind: ConnectionKind<Record>,
  order: 'id' | 'name',
  page: PageRequest,
  isShown: (connection: Record) => boolean = () => true,
): Promise<Page<Record>> =>
  readPage(table, getListing(getConnectionListing(kind.kind), order), page, async (entries) => {
    const found = await readConnectionsOf(table, kind, getIds(entries))
    return found.map((connection) => (connection && isShown(connection) ? connection : undefined))
  })

/** Builds the step that informs the owners of the organization that a new connection belongs to. */
export const buildSignInNoticeSteps = (
  context: RequestContext,
  { organization_id: organizationId, name }: Pick<Connection, 'organization_id' | 'name'>,
): readonly Step[] =>
  organizationId === null
    ? []
    : [buildOwnersNoticeStep(context, { change: 'organization_sign_in_added', organizationId, name })]

/** Stores a new connection of any kind. */
export const storeNewConnection = <Record extends Connection>(
  services: Services,
  context: RequestContext,
  kind: ConnectionKind<Record>,
  connection: Record,
): Promise<Record> =>
  createConnection(services.table, kind, connection, [
    ...thingSteps(context, `${getProtocol(kind).eventPrefix}.created`, connection.id),
    ...buildSignInNoticeSteps(context, connection),
  ])

interface Edit<Record extends Connection> {
  /** As it was read. */
  readonly connection: Record
  /** As it will be. */
  readonly next: Record
  /** The declarations of its fields. */
  readonly fields: AuditedFields
  /** Refuses changes that the caller may not make. */
  readonly check?: (changes: ConnectionChanges<Record>) => void
  readonly extraSteps?: readonly Step[]
}

/** Stores what differs between a connection as it was read and as it will be. */
export const storeConnectionChanges = async <Record extends Connection>(
  services: Services,
  { principal, context }: { readonly principal: Principal; readonly context: RequestContext },
  kind: ConnectionKind<Record>,
  { connection, next, fields, check, extraSteps = [] }: Edit<Record>,
): Promise<Record> => {
  const changes = diffFields<Record>(connection, next)
  if (Object.keys(changes).length === 0) return connection
  check?.(changes)
  requireCallerNotLockedOut(principal, next, 'required_for_domains')
  // The table returns attributes in any order.
  const after = Object.fromEntries(Object.entries(changes).sort(([a], [b]) => (a < b ? -1 : 1)))
  const change = { fields, before: connection, after }
  const event = `${getProtocol(kind).eventPrefix}.changed` as const
  const steps = changeSteps(context, event, { of: connection.id, change })
  return editConnectionOf(services.table, kind, connection, changes, [...extraSteps, ...steps])
}
