import { fitsKey, normalizeUsername } from '../../lib/accounts/common/names.ts'
import { toGroupDetail, toGroupRows } from '../../lib/accounts/directory/group-body.ts'
import { requireGroup } from '../../lib/accounts/directory/require-records.ts'
import type { groups } from '../../lib/contract/operations/groups.ts'
import { readPageRequest, toListReply } from '../../lib/http/paging.ts'
import type { UseCase, UseCaseRequest } from '../../lib/http/use-case.ts'
import { findGroupIds, findGroups, type GroupRecord, groupKind } from '../../lib/store/directory/groups.ts'
import { buildNameMatcher } from '../../lib/store/directory/search-users.ts'
import { buildPage, mapRows, type Page } from '../../lib/store/engine/listing.ts'
import { readNamePage } from '../../lib/store/engine/search-names.ts'
import type { Table } from '../../lib/store/engine/table.ts'
import { foldText } from '../../lib/util/fold-text.ts'

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

export const getGroup: UseCase<typeof groups.getGroup> = async ({ params }, { table }) => {
  const group = await requireGroup(table, params.id)
  return { status: 200, body: await toGroupDetail(table, group) }
}
