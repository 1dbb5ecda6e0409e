import { toGroupDetail, toGroupRows } from '../../lib/accounts/directory/group-body.ts'
import { requireGroup } from '../../lib/accounts/directory/require-records.ts'
import type { groups } from '../../lib/contract/operations/groups.ts'
import { readPageRequest, toListReply } from '../../lib/http/paging.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { readGroups } from '../../lib/store/directory/groups.ts'
import { getIds, getListing, mapRows, readPage } from '../../lib/store/engine/listing.ts'

/** Lists groups with the IDs of their members. Each group costs one query in addition to the page. */
export const getAllGroups: UseCase<typeof groups.getAllGroups> = async (request, { table, config }) => {
  const listing = getListing('group', request.query.ordering.field)
  const found = await readPage(table, listing, readPageRequest(request), (entries) =>
    readGroups(table, getIds(entries)),
  )
  const page = await mapRows(found, (rows) => toGroupRows(table, rows))
  return { status: 200, ...toListReply(request, config, page) }
}

export const getGroup: UseCase<typeof groups.getGroup> = async ({ params }, { table }) => {
  const group = await requireGroup(table, params.id)
  return { status: 200, body: await toGroupDetail(table, group) }
}
