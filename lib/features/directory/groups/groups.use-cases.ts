import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { describeNew } from '../../../accounts/events/change-event.ts'
import { thingSteps } from '../../../accounts/events/write-event.ts'
import { groupFields } from '../../../accounts/groups/groups.models.ts'
import {
  findGroupIds,
  findGroups,
  type GroupRecord,
  groupKind,
} from '../../../accounts/groups/groups.records.ts'
import { fitsKey, normalizeUsername, validateNameField } from '../../../accounts/names/names.ts'
import { requireGroup } from '../../../accounts/users/require-records.ts'
import { buildNameMatcher } from '../../../accounts/users/search-users.records.ts'
import { readPageRequest, toListReply } from '../../../http/paging.ts'
import type { UseCase, UseCaseRequest } from '../../../http/use-case.ts'
import { invalidRequest } from '../../../kernel/errors/errors.ts'
import { buildPage, mapRows, type Page } from '../../../kernel/table/listing.ts'
import { retryConflicts } from '../../../kernel/table/retry-conflicts.ts'
import { readNamePage } from '../../../kernel/table/search-names.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { ConditionFailed, EditConflict } from '../../../kernel/table/transaction.ts'
import { createUniqueNameRecord } from '../../../kernel/table/unique-name-records.ts'
import { foldText } from '../../../kernel/util/fold-text.ts'
import { readCallerRights, requireControl, requireProofForRights } from '../rights/account-rights.ts'
import { buildAdminAccessSteps } from '../rights/admin-access-steps.ts'
import {
  findGroupsOf,
  type GroupFields,
  readGroupFields,
  toGroupDetail,
  toGroupDetailWith,
  toGroupRows,
} from './group-body.ts'
import { applyMembers, type MemberPlan, planFirstMembers, planMembers } from './group-members.ts'
import type { groups } from './groups.operations.ts'

/** Lists groups. Their members cost a batch read for each 100 groups, and those of groups with more than 1,000 a query. */
export const getAllGroups: UseCase<typeof groups.getAllGroups> = async (request, { table, config }) => {
  const page = await mapRows(await findPage(table, request), (rows) =>
    toGroupRows(table, rows, request.query.include_members ?? true),
  )
  return { status: 200, ...toListReply(request, config, page) }
}

const findPage = async (
  table: Table,
  request: UseCaseRequest<typeof groups.getAllGroups>,
): Promise<Page<GroupRecord>> => {
  const { name, ordering } = request.query
  const page = readPageRequest(request)
  const matches = buildNameMatcher(request.query)
  if (name === undefined) return readNamePage(table, groupKind, matches, { order: ordering.field, page })
  const keep = (group: GroupRecord) => matches?.([foldText(group.name)]) ?? true
  return buildPage((await findByName(table, name)).filter(keep), ({ id }) => String(id), page)
}

/** Finds the only group with this name. */
const findByName = async (table: Table, name: string): Promise<readonly GroupRecord[]> => {
  const normalized = normalizeUsername(name)
  if (normalized === '' || !fitsKey(normalized)) return []
  const [id] = await findGroupIds(table, [normalized])
  return id === undefined ? [] : findGroups(table, [id])
}

export const getGroup: UseCase<typeof groups.getGroup> = async ({ params, query }, { table }) => {
  const group = await requireGroup(table, params.id)
  const isShort = query.include_members === false
  return { status: 200, body: isShort ? toGroupDetailWith(group, [], []) : await toGroupDetail(table, group) }
}

/** Creates a group with its members. Members that do not fit into the first transaction follow in others. */
export const createGroup: UseCase<typeof groups.createGroup> = async (
  { body, principal, context },
  services,
) => {
  const { table } = services
  const rights = await readCallerRights(table, principal)
  const fields = readGroupFields(body)
  requireControl(rights, fields.permissions)
  await requireProofForRights(services, principal, [{ permissions: fields.permissions, groups: [] }])
  return retryConflicts(async () => {
    const plan = await planMembers(table, undefined, body.members ?? [], rights)
    const errors = [...validateNameField(body.name), ...plan.errors]
    if (errors.length > 0) throw invalidRequest(errors)
    const others = await findGroupsOf(table, plan.newMembers)
    const group = await storeGroup(table, fields, plan, context)
    const location = `/api/2/groups/${group.id}`
    return { status: 201, headers: { location }, body: buildBody(group, plan, others) }
  }, 'The members kept changing while the group was created. Try again.')
}

/** @throws EditConflict when one of the first members was changed since the plan was made */
const storeGroup = async (
  table: Table,
  fields: GroupFields,
  plan: MemberPlan,
  context: RequestContext,
): Promise<GroupRecord> => {
  const { steps, rest } = planFirstMembers(plan, context)
  const group = await createUniqueNameRecord(table, groupKind, fields, (id) => [
    ...thingSteps(
      context,
      'group.created',
      id,
      describeNew({ fields: groupFields, before: {}, after: fields }),
    ),
    ...buildAdminAccessSteps(context, [], fields.permissions, { target: String(id), name: fields.name }),
    ...steps(id),
  ]).catch((error: unknown) => {
    throw error instanceof ConditionFailed ? new EditConflict() : error
  })
  await applyMembers(table, group, rest, context)
  return group
}

/** Builds the body without another read, because an error after the write would hide that the group was created. */
const buildBody = (group: GroupRecord, { newMembers }: MemberPlan, others: readonly GroupRecord[]) => {
  const members = newMembers
    .map((user) => ({ ...user, groups: [...user.groups, group.id], version: user.version + 1 }))
    .sort((a, b) => a.id - b.id)
  return toGroupDetailWith(group, members, [...others, group])
}
