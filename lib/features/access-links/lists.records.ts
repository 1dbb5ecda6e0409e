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
import { getIndexKey, type IndexOrder, linkLists } from './index.records.ts'
import type { AccessLinkRecord, EasySharing } from './link.records.ts'
import { hasExpired, listAccessLinksByIds } from './records.ts'

/** The requested links. All filters must match. */
export interface LinkFilters {
  /** Links with any of these bundles. */
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
  /** Selects links by what no list knows. It examines up to 1,000 links for a page. */
  readonly select?: ((links: readonly AccessLinkRecord[]) => Promise<readonly boolean[]>) | undefined
  /** Former guests, by the user who replaced them. Their links count as links for the user. */
  readonly former?: FormerGuests | undefined
}

export interface FormerGuests {
  readonly userId: number
  readonly guestIds: readonly number[]
}

/** An order that has an index, or the sort key of a link in an order without one. Numbers come before texts. */
export type LinkOrder = IndexOrder | ((link: AccessLinkRecord) => number | string)

/** The key of a link in an order. It is unique, because the ID decides between equal links. */
export const getOrderKey = (order: LinkOrder, link: AccessLinkRecord): string => {
  if (typeof order === 'string') return getIndexKey(order, link)
  const key = order(link)
  return `${typeof key === 'number' ? sortableId(key) : key}#${sortableId(link.id)}`
}

export const matches = (link: AccessLinkRecord, filters: LinkFilters): boolean => {
  const { bundles, directories, asset, user, createdBy, party, person, expired, former } = filters
  const isFor = (id: number) => getRecipientIds(id, former).includes(link.user)
  return (
    (bundles === undefined || link.bundles.some(({ id }) => bundles.includes(id))) &&
    (directories === undefined || link.directories.some(({ id }) => directories.includes(id))) &&
    (asset === undefined || link.bundles.some((bundle) => bundle.asset === asset)) &&
    (user === undefined || isFor(user)) &&
    (createdBy === undefined || link.createdBy === createdBy) &&
    (party === undefined || link.createdBy === party || isFor(party)) &&
    (person === undefined || link.createdBy === person || isFor(person)) &&
    (expired === undefined || hasExpired(link, expired.nowMs) === expired.is)
  )
}

const getRecipientIds = (id: number, former: FormerGuests | undefined): readonly number[] =>
  former?.userId === id ? [id, ...former.guestIds] : [id]

/**
 * Reads one page of links. In order of ID, the cost depends only on the page: each filter has a list of its own, and
 * several lists are read together. In order of expiration this is also true for creators and recipients. Of links that
 * share an object, up to `linksSortedInMemory` are sorted in memory. If there are more, the list of all links is read.
 * All other orders have no index. Then the result is undefined if there are too many links to sort in memory.
 */
export const listAccessLinks = async (
  table: Table,
  filters: LinkFilters,
  order: LinkOrder,
  request: PageRequest,
): Promise<Page<AccessLinkRecord> | undefined> => {
  const read = async (entries: readonly ListEntry[]) => {
    const links = await listAccessLinksByIds(
      table,
      entries.map(({ indexKey }) => idAtEnd(indexKey)),
    )
    // The index may be outdated. So the filters are checked again.
    const matching = links.map((link) => (link && matches(link, filters) ? link : undefined))
    if (!filters.select) return matching
    const given = matching.filter((link) => link !== undefined)
    const isSelected = await filters.select(given)
    const selected = new Set(given.filter((_, at) => isSelected[at]))
    return matching.map((link) => (link && selected.has(link) ? link : undefined))
  }
  const listsIn = (indexOrder: IndexOrder) => {
    const people = peopleLists(filters, indexOrder)
    const lists = indexOrder === 'id' ? [...people, ...objectLists(filters)] : people
    return (lists.length > 0 ? lists : [[linkLists.all(indexOrder)]]).map((any) => mergeSources(table, any))
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
  if (few) return buildPage(few, (link) => getOrderKey(order, link), request)
  return order === 'expires' ? inOrder('expires') : undefined
}

/** One entry for each filter: the lists that together contain the matching links. */
type Lists = readonly (readonly Listing[])[]

const peopleLists = ({ user, createdBy, party, person, former }: LinkFilters, order: IndexOrder): Lists => {
  const { madeBy } = linkLists
  const madeFor = (id: number) => getRecipientIds(id, former).map((one) => linkLists.madeFor(one, order))
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

const objectLists = ({ bundles, directories, asset }: LinkFilters): Lists => [
  ...(bundles ? [[...new Set(bundles)].map((id) => linkLists.withBundle(id))] : []),
  ...(directories ? [[...new Set(directories)].map((id) => linkLists.withDirectory(id))] : []),
  ...(asset === undefined ? [] : [[linkLists.withAsset(asset)]]),
]

const pageSize = 100

/**
 * Reads the links with which a user shares an object easily, newest first, page by page. It reads the lists of their
 * links and of the object together, so the cost depends on the shorter one.
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
    const links = page?.rows.map(({ row }) => row) ?? []
    yield links.filter(({ easySharing }) => easySharing?.kind === kind && easySharing.id === id)
    after = page?.next?.after
    if (after === undefined) return
  }
}
