import { selectGroupPermissions } from '../../../accounts/callers/permissions.ts'
import { findGroups, type GroupRecord } from '../../../accounts/groups/groups.records.ts'
import { readMemberNames } from '../../../accounts/groups/member-items.records.ts'
import { findUserIdsByEmail } from '../../../accounts/names/address-holders.records.ts'
import { fitsKey, normalizeEmail, normalizeUsername } from '../../../accounts/names/names.ts'
import { hasSecondFactor } from '../../../accounts/users/account-state.ts'
import {
  findUserAttributes,
  getHoldersListing,
  hasAttribute,
  isSearchable,
  type UserAttribute,
} from '../../../accounts/users/attributes.records.ts'
import {
  findUserIdByExternalId,
  findUserIdByUsername,
  getUserIndexKey,
  listUsers,
} from '../../../accounts/users/find-users.records.ts'
import { isGuestUser } from '../../../accounts/users/guest-state.records.ts'
import { describeInvitation, describeJoining } from '../../../accounts/users/invitation-state.ts'
import {
  buildNameMatcher,
  buildUserMatcher,
  isDecidedBy,
  planGuestFilter,
  searchUsers,
  searchUsersByName,
} from '../../../accounts/users/search-users.records.ts'
import type { UserRecord } from '../../../accounts/users/stored-user.records.ts'
import { getEmailState, selectParts, toUserRows } from '../../../accounts/users/user-body.ts'
import { summarizeUser } from '../../../accounts/users/user-listing.records.ts'
import { readPageRequest, toListReply } from '../../../http/paging.ts'
import type { UseCase, UseCaseRequest } from '../../../http/use-case.ts'
import { externalSourceForm } from '../../../kernel/contract/text-rules.ts'
import { invalidRequest } from '../../../kernel/errors/errors.ts'
import { attributeTextLength, entriesSearchedPerPage } from '../../../kernel/limits/limits.ts'
import { readListedName } from '../../../kernel/table/keys/listing-keys.ts'
import {
  buildPage,
  createSource,
  type EntryReader,
  type EntryRequest,
  getIds,
  getListing,
  type ListEntry,
  type Listing,
  mapRows,
  type Page,
  readEntries,
  readFilteredPage,
  readPage,
} from '../../../kernel/table/listing.ts'
import { type ListSearch, searchInOrder } from '../../../kernel/table/search-listing.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { readTotals } from '../../../kernel/table/totals.ts'
import { foldText } from '../../../kernel/util/fold-text.ts'
import { day } from '../../../kernel/util/time.ts'
import { createLinkedReader, findCompanyAccounts } from '../../connections/accounts.records.ts'
import { readConnections } from '../../connections/records.ts'
import { findDefinitionsFor, listAttributes } from '../attributes/attributes.ts'
import { getMembersByName, getMembersListing } from '../groups/memberships.records.ts'
import type { users } from './users.operations.ts'

type Request = UseCaseRequest<typeof users.getAllUsers>
type Filters = Request['query']

/**
 * Lists users. A username, email address or ID in another system is looked up directly. Members, and users without a filter, are read in the
 * requested order. All other filters search the entries of all users: see `search-users.records.ts` for the cost.
 */
export const getAllUsers: UseCase<typeof users.getAllUsers> = async (request, { table, config, now }) => {
  const found = await findPage(table, request, now())
  const page = await mapRows(found, async (rows) => {
    const definitions = await findDefinitionsFor(table, rows)
    return (await toUserRows(table, rows)).map((user, at) => {
      const record = rows[at]
      const rest = record
        ? {
            ...describeJoining(record, now()),
            attributes: [...listAttributes(definitions, record, 'manager')],
          }
        : { invitation: null, accepted_terms: null }
      return { ...selectParts(user, request.query), ...rest }
    })
  })
  return { status: 200, ...toListReply(request, config, page) }
}

const findPage = async (table: Table, request: Request, nowMs: number): Promise<Page<UserRecord>> => {
  const { query, areGuestsFew } = await planGuestFilter(table, request.query)
  const page = readPageRequest(request)
  const holders = createHolderFilter(table, query.permission)
  const readUsers = async (ids: readonly number[]) => holders.learn(await listUsers(table, ids))
  const read = (entries: readonly ListEntry[]) => readUsers(getIds(entries))
  const matches = buildUserMatcher(query)
  const attribute = await findSearched(table, query)
  const keep = (user: UserRecord) =>
    matchesKeys(user, query) &&
    (attribute === undefined || hasAttribute(user, attribute, query.attribute ?? '')) &&
    (matches?.(summarizeUser(user)) ?? true) &&
    matchesStates(user, query, nowMs) &&
    matchesRecord(user, query, nowMs) &&
    holders.isHolder(user)
  const { field } = query.ordering
  const { connection } = query
  if (connection !== undefined && (await readConnections(table, [connection]))[0] === undefined)
    return { rows: [] }
  const build = (found: readonly UserRecord[]) =>
    buildPage(found.filter(keep), (user) => getUserIndexKey(user, field), page)
  const looked = await lookUp(table, query)
  if (looked) return build(await holders.learn(await keepLinked(table, looked, connection)))
  // Memberships that remain of a deleted group do not count.
  if (query.groups !== undefined && (await findGroups(table, [query.groups])).length === 0)
    return { rows: [] }
  const byName = getListing('user', 'name')
  const listing = getSelected(table, query, attribute)
  if (!listing && !matches)
    return readPage(table, field === 'id' ? getListing('user', 'id') : byName, page, read)
  if (!listing && areGuestsFew && field === 'username')
    return readFilteredPage(createSource(table, byName, page), page, read, keep)
  const selections = [query.groups, attribute, connection].filter((one) => one !== undefined)
  if (listing && field === 'id' && !matches && selections.length === 1)
    return readPage(table, listing, page, read)
  if (query.groups !== undefined && field === 'username' && selections.length === 1)
    return searchInOrder(table, buildMemberSearch(query.groups, query, { read: readUsers, keep }), page)
  const members = listing && (await findListed(listing))
  if (members && members.length <= fewMembers)
    return build((await readUsers(members)).filter((user) => user !== undefined))
  if (connection !== undefined && listing && !members) {
    // Only the list of a connection says who has an account there.
    if (field !== 'id') throw invalidRequest([{ field: 'ordering', message: describeTooManyLinked() }])
    const { isDescending } = page
    return readFilteredPage((after, limit) => listing({ after, limit, isDescending }), page, read, keep)
  }
  const search = {
    matches: matches ?? (() => true),
    isDecided: isDecidedBy(query),
    among: members && new Set(members),
    read: readUsers,
    keep,
  }
  if (field === 'id') return searchUsers(table, search, page)
  return (
    (await searchUsersByName(table, search, page)) ??
    readFilteredPage(createSource(table, byName, page), page, read, keep)
  )
}

/**
 * Searches the members of a group in order of username. A page without a filter costs the same for any number of members. Their
 * entries carry what a search for names compares, and the records decide about all other filters.
 */
const buildMemberSearch = (
  groupId: number,
  { filter, filtering_mode, ...others }: Filters,
  { read, keep }: Pick<ListSearch<UserRecord>, 'read' | 'keep'>,
): ListSearch<UserRecord> => {
  const matches = buildNameMatcher({ filter, filtering_mode })
  // Guests of links are in no group.
  const isDecided =
    buildUserMatcher({ ...others, is_guest: others.is_guest || undefined, filtering_mode }) === undefined
  return {
    listing: getMembersByName(groupId),
    select: (entry) => {
      const { indexKey } = entry
      const [id = 0] = getIds([entry])
      const [name, more] = [readListedName(indexKey), readMemberNames(entry)]
      const isRead = name !== undefined && more !== undefined
      if (isRead && matches && !matches([foldText(name), ...more])) return undefined
      return { id, indexKey, isDecided: isDecided && (isRead || !matches) }
    },
    read,
    keep,
  }
}

/**
 * Selects the holders of a permission. Users hold it themselves, or through a group. The groups of examined users are read with
 * their records, and each of them once.
 */
const createHolderFilter = (table: Table, permission: string | undefined) => {
  const groups = new Map<number, GroupRecord>()
  const isOwn = (user: UserRecord) => permission === undefined || user.permissions.includes(permission)
  return {
    learn: async <User extends UserRecord | undefined>(users: readonly User[]): Promise<readonly User[]> => {
      const ids = users.flatMap((user) => (user && !isOwn(user) ? user.groups : []))
      const unknown = ids.filter((id) => !groups.has(id))
      for (const group of await findGroups(table, unknown)) groups.set(group.id, group)
      return users
    },
    isHolder: (user: UserRecord): boolean =>
      permission === undefined ||
      isOwn(user) ||
      selectGroupPermissions(
        user,
        user.groups.flatMap((id) => groups.get(id) ?? []),
      ).includes(permission),
  }
}

/** Members whose records are read. For more members, reading the entries of all users costs less. */
const fewMembers = 200

/** A function, because the first number written in a locale loads its data: a third of the start of this function. */
const describeTooManyLinked = (): string =>
  `must be \`id\` for a connection of more than ${entriesSearchedPerPage.toLocaleString('en-US')} users`

/** Those of a few users who have an account at the connection. */
const keepLinked = async (
  table: Table,
  found: readonly UserRecord[],
  connection: number | undefined,
): Promise<readonly UserRecord[]> => {
  if (connection === undefined) return found
  const accounts = await Promise.all(found.map((user) => findCompanyAccounts(table, user)))
  return found.filter((_, at) => accounts[at]?.some(({ providerId }) => providerId === connection))
}

/** The list of the users in question, if there is one: those of a connection, with a value of an attribute, or in a group. */
const getSelected = (
  table: Table,
  { attribute: value, connection, groups }: Filters,
  attribute: UserAttribute | undefined,
): EntryReader | undefined => {
  if (connection !== undefined) return createLinkedReader(table, connection)
  const of = (listing: Listing) => (request: EntryRequest) => readEntries(table, listing, request)
  if (attribute && value !== undefined) return of(getHoldersListing(attribute, value))
  return groups === undefined ? undefined : of(getMembersListing(groups))
}

/** The searchable attribute, if the caller asks for a value. */
const findSearched = async (
  table: Table,
  { attribute: value }: Filters,
): Promise<UserAttribute | undefined> => {
  if (value === undefined) return undefined
  const attribute = (await findUserAttributes(table)).find(isSearchable)
  if (!attribute)
    throw invalidRequest([{ field: 'attribute', message: 'needs an attribute that is searchable' }])
  if (value.length > attributeTextLength)
    throw invalidRequest([
      { field: 'attribute', message: `must have at most ${attributeTextLength} characters` },
    ])
  return attribute
}

/** The IDs in a list. Undefined if a search could not examine all of them. */
const findListed = async (list: EntryReader): Promise<readonly number[] | undefined> => {
  const entries = await list({ limit: entriesSearchedPerPage + 1, isDescending: false })
  return entries.length > entriesSearchedPerPage ? undefined : getIds(entries)
}

/** Finds the few users whom a filter names. Undefined if none does. */
const lookUp = async (table: Table, query: Filters): Promise<readonly UserRecord[] | undefined> => {
  if (query.external_id !== undefined) return findByExternalId(table, query.external_id)
  return query.username === undefined && query.email === undefined ? undefined : findByName(table, query)
}

/** Finds the only user with this username, or the few with this email address. */
const findByName = async (table: Table, { username, email }: Filters): Promise<readonly UserRecord[]> => {
  const normalized = username === undefined ? normalizeEmail(email ?? '') : normalizeUsername(username)
  if (normalized === '' || !fitsKey(normalized)) return []
  const ids =
    username === undefined
      ? await findUserIdsByEmail(table, normalized)
      : [await findUserIdByUsername(table, normalized)]
  return readFound(table, ids)
}

/** Finds the only user with this ID in another system, after its source and a colon. */
const findByExternalId = async (table: Table, text: string): Promise<readonly UserRecord[]> => {
  const [source = ''] = text.split(':', 1)
  const id = text.slice(source.length + 1)
  if (id === '' || !externalSourceForm.test(source) || !fitsKey(id)) return []
  return readFound(table, [await findUserIdByExternalId(table, { source, id })])
}

const readFound = async (
  table: Table,
  ids: readonly (number | undefined)[],
): Promise<readonly UserRecord[]> => {
  const users = await listUsers(
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

/** Whether the address and the invitation of a user are in the states that the caller asks for. */
const matchesStates = (user: UserRecord, { email_state, invitation }: Filters, nowMs: number): boolean =>
  (email_state === undefined || getEmailState(user) === email_state) &&
  (invitation === undefined || describeInvitation(user, nowMs)?.state === invitation)

const matchesRecord = (user: UserRecord, filters: Filters, nowMs: number): boolean => {
  const { has_second_factor: factor, is_guest: guest, not_seen_for_days: days } = filters
  return (
    (factor === undefined || hasSecondFactor(user) === factor) &&
    (guest === undefined || isGuestUser(user) === guest) &&
    (days === undefined || user.lastSeenAt === null || nowMs - user.lastSeenAt >= days * day)
  )
}

/** Counts users and groups with one call, for any number of them. */
export const getTotals: UseCase<typeof users.getTotals> = async (_, { table }) => {
  const count = await readTotals(table)
  return {
    status: 200,
    body: { users: count('user') - count('guest'), guests: count('guest'), groups: count('group') },
  }
}
