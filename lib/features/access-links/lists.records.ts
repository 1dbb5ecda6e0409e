import { linksSortedInMemory } from '../../kernel/limits/limits.ts'
import { idAtEnd } from '../../kernel/table/keys/keys.ts'
import {
  buildPage,
  type ListEntry,
  type Listing,
  type Page,
  type PageRequest,
  readPage,
} from '../../kernel/table/listing.ts'
import { mergeSources, readCommonPage, readFew } from '../../kernel/table/merge-lists.ts'
import type { Table } from '../../kernel/table/table.ts'
import { sortableId } from '../../kernel/util/sortable-id.ts'
import { getIndexKey, type IndexOrder, tokenLists } from './index.records.ts'
import type { AccessLinkRecord, EasySharing } from './link.records.ts'
import { hasExpired, listAccessLinksByIds } from './records.ts'

/** The requested tokens. All filters must match. */
export interface TokenFilters {
  /** Tokens with any of these bundles. */
  readonly bundles?: readonly number[] | undefined
  readonly directories?: readonly number[] | undefined
  readonly asset?: number | undefined
  readonly user?: number | undefined
  readonly createdBy?: number | undefined
  /** The caller, if they see only what they created or received. */
  readonly party?: number | undefined
  /** The creator or the recipient, whom the caller names. */
  readonly person?: number | undefined
  /** Whether the links have expired, at this time. */
  readonly expired?: { readonly is: boolean; readonly nowMs: number } | undefined
  /** Selects tokens by what no list knows. It examines up to 1,000 tokens for a page. */
  readonly select?: ((tokens: readonly AccessLinkRecord[]) => Promise<readonly boolean[]>) | undefined
  /** Former guests, by the user who replaced them. Their links count as links for the user. */
  readonly former?: FormerGuests | undefined
}

export interface FormerGuests {
  readonly userId: number
  readonly guestIds: readonly number[]
}

/** An order that has an index, or the sort key of a token in an order without one. Numbers come before texts. */
export type TokenOrder = IndexOrder | ((token: AccessLinkRecord) => number | string)

/** The key of a token in an order. It is unique, because the ID decides between equal tokens. */
export const getOrderKey = (order: TokenOrder, token: AccessLinkRecord): string => {
  if (typeof order === 'string') return getIndexKey(order, token)
  const key = order(token)
  return `${typeof key === 'number' ? sortableId(key) : key}#${sortableId(token.id)}`
}

export const matches = (token: AccessLinkRecord, filters: TokenFilters): boolean => {
  const { bundles, directories, asset, user, createdBy, party, person, expired, former } = filters
  const isFor = (id: number) => getRecipientIds(id, former).includes(token.user)
  return (
    (bundles === undefined || token.bundles.some(({ id }) => bundles.includes(id))) &&
    (directories === undefined || token.directories.some(({ id }) => directories.includes(id))) &&
    (asset === undefined || token.bundles.some((bundle) => bundle.asset === asset)) &&
    (user === undefined || isFor(user)) &&
    (createdBy === undefined || token.createdBy === createdBy) &&
    (party === undefined || token.createdBy === party || isFor(party)) &&
    (person === undefined || token.createdBy === person || isFor(person)) &&
    (expired === undefined || hasExpired(token, expired.nowMs) === expired.is)
  )
}

const getRecipientIds = (id: number, former: FormerGuests | undefined): readonly number[] =>
  former?.userId === id ? [id, ...former.guestIds] : [id]

/**
 * Reads one page of tokens. In order of ID, the cost depends only on the page: each filter has a list of its own, and
 * several lists are read together. In order of expiration this is also true for creators and recipients. Of tokens that
 * share an object, up to `linksSortedInMemory` are sorted in memory. If there are more, the list of all tokens is read.
 * All other orders have no index. Then the result is undefined if there are too many tokens to sort in memory.
 */
export const listAccessLinks = async (
  table: Table,
  filters: TokenFilters,
  order: TokenOrder,
  request: PageRequest,
): Promise<Page<AccessLinkRecord> | undefined> => {
  const read = async (entries: readonly ListEntry[]) => {
    const tokens = await listAccessLinksByIds(
      table,
      entries.map(({ indexKey }) => idAtEnd(indexKey)),
    )
    // The index may be outdated. So the filters are checked again.
    const matching = tokens.map((token) => (token && matches(token, filters) ? token : undefined))
    if (!filters.select) return matching
    const given = matching.filter((token) => token !== undefined)
    const isSelected = await filters.select(given)
    const selected = new Set(given.filter((_, at) => isSelected[at]))
    return matching.map((token) => (token && selected.has(token) ? token : undefined))
  }
  const listsIn = (indexOrder: IndexOrder) => {
    const people = peopleLists(filters, indexOrder)
    const lists = indexOrder === 'id' ? [...people, ...objectLists(filters)] : people
    return (lists.length > 0 ? lists : [[tokenLists.all(indexOrder)]]).map((any) => mergeSources(table, any))
  }
  const inOrder = (indexOrder: IndexOrder): Promise<Page<AccessLinkRecord>> => {
    const [only, ...others] = listsIn(indexOrder)
    const isExamined = filters.select !== undefined || filters.expired !== undefined
    const isWhole = !isExamined && (indexOrder === 'id' || objectLists(filters).length === 0)
    return only && others.length === 0 && isWhole
      ? readPage(table, only, request, read)
      : readCommonPage(listsIn(indexOrder), request, read)
  }
  if (order === 'id') return inOrder('id')
  if (order === 'expires' && objectLists(filters).length === 0) return inOrder('expires')
  const few = await readFew(listsIn('id'), linksSortedInMemory, read)
  if (few) return buildPage(few, (token) => getOrderKey(order, token), request)
  return order === 'expires' ? inOrder('expires') : undefined
}

/** One entry for each filter: the lists that together contain the matching tokens. */
type Lists = readonly (readonly Listing[])[]

const peopleLists = ({ user, createdBy, party, person, former }: TokenFilters, order: IndexOrder): Lists => {
  const { madeBy } = tokenLists
  const madeFor = (id: number) => getRecipientIds(id, former).map((one) => tokenLists.madeFor(one, order))
  const partyLists = (): Lists => {
    // A user who is also filtered by a role is already in the list of that role.
    if (party === undefined || party === createdBy || party === user) return []
    if (createdBy !== undefined) return [madeFor(party)]
    if (user !== undefined) return [[madeBy(party, order)]]
    return [[madeBy(party, order), ...madeFor(party)]]
  }
  return [
    ...(createdBy === undefined ? [] : [[madeBy(createdBy, order)]]),
    ...(user === undefined ? [] : [madeFor(user)]),
    ...partyLists(),
    ...(person === undefined || person === party ? [] : [[madeBy(person, order), ...madeFor(person)]]),
  ]
}

const objectLists = ({ bundles, directories, asset }: TokenFilters): Lists => [
  ...(bundles ? [[...new Set(bundles)].map((id) => tokenLists.withBundle(id))] : []),
  ...(directories ? [[...new Set(directories)].map((id) => tokenLists.withDirectory(id))] : []),
  ...(asset === undefined ? [] : [[tokenLists.withAsset(asset)]]),
]

const pageSize = 100

/**
 * Reads the tokens with which a user shares an object easily, newest first, page by page. It reads the lists of their
 * tokens and of the object together, so the cost depends on the shorter one.
 */
export async function* readEasySharing(
  table: Table,
  createdBy: number,
  { kind, id }: Pick<EasySharing, 'kind' | 'id'>,
): AsyncGenerator<readonly AccessLinkRecord[]> {
  const filters = { createdBy, ...(kind === 'bundle' ? { bundles: [id] } : { directories: [id] }) }
  for (let after: string | undefined; ; ) {
    const page = await listAccessLinks(table, filters, 'id', {
      after,
      skip: 0,
      limit: pageSize,
      isDescending: true,
    })
    const tokens = page?.rows.map(({ row }) => row) ?? []
    yield tokens.filter(({ easySharing }) => easySharing?.kind === kind && easySharing.id === id)
    after = page?.next?.after
    if (after === undefined) return
  }
}
