import { listUsers } from '../../accounts/users/find-users.records.ts'
import { readPageRequest, toListReply } from '../../http/paging.ts'
import type { UseCase } from '../../http/use-case.ts'
import { isOrganizationEvent } from '../../kernel/contract/organization-events.ts'
import { invalidRequest } from '../../kernel/errors/errors.ts'
import { mapRows } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import { formatTime } from '../../kernel/util/time.ts'
import { showChange } from '../audit/changes.ts'
import { readEventTimes } from '../audit/event-times.ts'
import type { OrganizationAccess } from './access.ts'
import type { OrganizationEvent } from './events.models.ts'
import type { organizationEventOperations } from './events.operations.ts'
import { type OrganizationEventRecord, readOrganizationEvents } from './events.records.ts'
import { readMemberships } from './memberships.records.ts'

/** Lists what happened in an organization within the retention time, newest first. */
export const getOrganizationEvents: UseCase<
  typeof organizationEventOperations.getOrganizationEvents
> = async (request, services) => {
  const { table, config } = services
  const { event: events } = request.query
  if (events?.some((event) => !isOrganizationEvent(event)))
    throw invalidRequest([{ field: 'event', message: 'must be names of events that organizations have' }])
  const filter = { events: events && new Set(events), ...readEventTimes(request.query, services) }
  const access = request.organization
  const found = await readOrganizationEvents(table, access.organization.id, filter, readPageRequest(request))
  const rows = found.rows.map(({ indexKey, row }) => ({ indexKey, row: [indexKey, row] as const }))
  const page = await mapRows({ ...found, rows }, async (events) => {
    const names = await findNames(
      table,
      access,
      events.map(([, record]) => record),
    )
    return events.map(([id, record]) => toBody(id, record, names))
  })
  return { status: 200, ...toListReply(request, config, page) }
}

/** The usernames of those who are members now. Nobody learns how a former member is called today. */
const findNames = async (
  table: Table,
  { organization, permissions }: OrganizationAccess,
  records: readonly OrganizationEventRecord[],
): Promise<ReadonlyMap<number, string>> => {
  if (!permissions.includes('org:members:view')) return new Map()
  const ids = [...new Set(records.flatMap(({ user, actor }) => [user, actor]))].filter((id) => id !== null)
  const [users, memberships] = await Promise.all([
    listUsers(table, ids),
    readMemberships(table, organization.id, ids),
  ])
  return new Map(
    users.flatMap((user, at) => (user && memberships[at] ? [[user.id, user.username] as const] : [])),
  )
}

const toBody = (
  id: string,
  { at, event, user, actor, apiToken, target, changes }: OrganizationEventRecord,
  names: ReadonlyMap<number, string>,
): OrganizationEvent => ({
  id,
  created_at: formatTime(at),
  event,
  user,
  user_name: names.get(user ?? 0) ?? null,
  actor,
  actor_name: names.get(actor ?? 0) ?? null,
  api_token: apiToken,
  target,
  ...(changes && { changes: changes.map(showChange) }),
})
