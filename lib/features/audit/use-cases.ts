import type { AuditEventRecord } from '../../accounts/events/records.ts'
import { listUsers } from '../../accounts/users/find-users.records.ts'
import { findFormerGuestIds } from '../../accounts/users/successors.records.ts'
import { readPageRequest, toListReply } from '../../http/paging.ts'
import type { UseCase } from '../../http/use-case.ts'
import { auditEvents } from '../../kernel/contract/audit-events.ts'
import { invalidRequest } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { formatTime } from '../../kernel/util/time.ts'
import { findDeletedUsernames } from '../directory/deletion/delete-user.records.ts'
import { readChanges } from './changes.ts'
import { readEventTimes } from './event-times.ts'
import { isAuditIndexKey, readAuditPage } from './list.records.ts'
import type { AuditEvent } from './models.ts'
import type { audit } from './operations.ts'

/** Lists the audit events within the retention time, newest first. */
export const getAuditEvents: UseCase<typeof audit.getAuditEvents> = async (request, services) => {
  const {
    user,
    actor,
    credential,
    credential_id: credentialId,
    field,
    event: events,
    target,
    organization,
    ip,
    request_id: requestId,
    failed,
  } = request.query
  const page = readPageRequest(request)
  if (page.after !== undefined && !isAuditIndexKey(page.after))
    throw invalidRequest([{ field: 'cursor', message: 'must come from a Link header' }])
  if (events?.some((event) => !Object.hasOwn(auditEvents, event)))
    throw invalidRequest([{ field: 'event', message: 'must be names of audit events' }])
  const filter = {
    users: user === undefined ? undefined : [user, ...(await findFormerGuestIds(services.table, user))],
    actor,
    credential,
    credentialId,
    field,
    events: events && new Set(events),
    target,
    organization,
    ip,
    requestId,
    failed,
    ...readEventTimes(request.query, services),
    nowMs: services.now(),
  }
  const { rows, next } = await readAuditPage(services.table, filter, page)
  const names = await findNames(
    services.table,
    rows.map(({ row }) => row),
  )
  const show = await readChanges(
    services.table,
    request.principal,
    rows.map(({ row }) => row),
  )
  const bodies = rows.map(({ indexKey, row }) => ({
    indexKey,
    row: { ...toEventBody(indexKey, row, names), ...show(row) },
  }))
  return { status: 200, ...toListReply(request, services.config, { rows: bodies, next }) }
}

/**
 * Finds the usernames of all users of a page, including deleted users. Each call to the table reads up to 100 names.
 */
const findNames = async (
  table: Table,
  records: readonly AuditEventRecord[],
): Promise<ReadonlyMap<number, string>> => {
  const ids = [...new Set(records.flatMap(({ user, actor }) => [user, actor]))].filter((id) => id !== null)
  const users = await listUsers(table, ids)
  const names = users.flatMap((user) => (user ? [[user.id, user.username] as const] : []))
  const deleted = await findDeletedUsernames(
    table,
    ids.filter((_, at) => users[at] === undefined),
  )
  return new Map([...names, ...deleted])
}

const toEventBody = (
  indexKey: string,
  record: AuditEventRecord,
  names: ReadonlyMap<number, string>,
): AuditEvent => ({
  id: indexKey,
  created_at: formatTime(record.at),
  ...(record.clockAt !== undefined && { clock_time: formatTime(record.clockAt) }),
  event: record.event,
  user: record.user,
  user_name: names.get(record.user ?? 0) ?? null,
  actor: record.actor,
  actor_name: names.get(record.actor ?? 0) ?? null,
  ip: record.address,
  ...omitUndefined({ product: record.product }),
  request_id: record.requestId,
  target: record.target,
  outcome: record.outcome,
  ...omitUndefined({
    credential: record.credential,
    credential_id: record.credentialId,
    organization: record.organization,
    actor_principal: record.actorPrincipal,
    user_agent: record.userAgent,
    username_tried: record.username,
    count: record.count,
  }),
})
