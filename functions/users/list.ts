import { fitsKey, normalizeEmail, normalizeUsername } from '../../lib/accounts/common/names.ts'
import { selectParts, toUserRows } from '../../lib/accounts/directory/user-body.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { readPageRequest, toListReply } from '../../lib/http/paging.ts'
import type { UseCase, UseCaseRequest } from '../../lib/http/use-case.ts'
import { findUserIdsByEmail } from '../../lib/store/directory/address-holders.ts'
import { findGroups } from '../../lib/store/directory/groups.ts'
import { getMembersListing } from '../../lib/store/directory/memberships.ts'
import { buildUserMatcher, summarizeUser } from '../../lib/store/directory/user-filters.ts'
import { findUserIdByUsername, findUsers, getUserIndexKey } from '../../lib/store/directory/users.ts'
import {
  buildPage,
  createSource,
  getIds,
  getListing,
  type ListEntry,
  mapRows,
  type Page,
  readFilteredPage,
  readPage,
} from '../../lib/store/engine/listing.ts'
import type { Table } from '../../lib/store/engine/table.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'

type Request = UseCaseRequest<typeof users.getAllUsers>
type Filters = Request['query']

/**
 * Lists users. A username or email address is looked up directly, and members are read from their group. Otherwise users
 * are read in the requested order. Remaining filters apply to what was read: see `lib/store/engine/listing.ts` for the
 * cost.
 */
export const getAllUsers: UseCase<typeof users.getAllUsers> = async (request, { table, config }) => {
  const found = await findPage(table, request)
  const page = await mapRows(found, async (rows) =>
    (await toUserRows(table, rows)).map((user) => selectParts(user, request.query)),
  )
  return { status: 200, ...toListReply(request, config, page) }
}

const findPage = async (table: Table, request: Request): Promise<Page<UserRecord>> => {
  const { query } = request
  const page = readPageRequest(request)
  const read = (entries: readonly ListEntry[]) => findUsers(table, getIds(entries))
  const matches = buildUserMatcher(query)
  const keep = (user: UserRecord) => matchesKeys(user, query) && (matches?.(summarizeUser(user)) ?? true)
  if (query.username !== undefined || query.email !== undefined) {
    const found = await findByName(table, query)
    return buildPage(found.filter(keep), (user) => getUserIndexKey(user, query.ordering.field), page)
  }
  // Memberships that remain of a deleted group do not count.
  if (query.groups !== undefined && (await findGroups(table, [query.groups])).length === 0)
    return { rows: [] }
  const { field } = query.ordering
  if (query.groups !== undefined && field === 'id')
    return matches === undefined
      ? readPage(table, getMembersListing(query.groups), page, read)
      : readFilteredPage(createSource(table, getMembersListing(query.groups), page), page, read, keep)
  const listing = getListing('user', field === 'id' ? 'id' : 'name')
  return query.groups === undefined && matches === undefined
    ? readPage(table, listing, page, read)
    : readFilteredPage(createSource(table, listing, page), page, read, keep)
}

/** Finds the only user with this username, or the few with this email address. */
const findByName = async (table: Table, { username, email }: Filters): Promise<readonly UserRecord[]> => {
  const normalized = username === undefined ? normalizeEmail(email ?? '') : normalizeUsername(username)
  if (normalized === '' || !fitsKey(normalized)) return []
  const ids =
    username === undefined
      ? await findUserIdsByEmail(table, normalized)
      : [await findUserIdByUsername(table, normalized)]
  const users = await findUsers(
    table,
    ids.filter((id) => id !== undefined),
  )
  return users.filter((user) => user !== undefined)
}

/** Whether a user has the username, email address and group that the caller asks for. */
const matchesKeys = (user: UserRecord, { username, email, groups }: Filters): boolean =>
  (username === undefined || user.normalizedUsername === normalizeUsername(username)) &&
  (email === undefined || user.normalizedEmail === normalizeEmail(email)) &&
  (groups === undefined || user.groups.includes(groups))
