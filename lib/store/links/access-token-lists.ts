import { linksSortedInMemory } from '../../core/limits.ts'
import { idAtEnd } from '../engine/keys.ts'
import {
  buildPage,
  type ListEntry,
  type Listing,
  type Page,
  type PageRequest,
  readPage,
} from '../engine/listing.ts'
import { mergeSources, readCommonPage, readFew } from '../engine/merge-lists.ts'
import type { Table } from '../engine/table.ts'
import type { AccessTokenRecord } from '../records/access-token-record.ts'
import { findAccessTokens } from './access-tokens.ts'
import { getIndexKey, type IndexOrder, tokenLists } from './token-index.ts'

/** Which tokens are asked for: those that all of this holds for. */
export interface TokenFilters {
  /** Any of these. */
  readonly bundles?: readonly number[] | undefined
  readonly directories?: readonly number[] | undefined
  readonly asset?: number | undefined
  readonly user?: number | undefined
  readonly createdBy?: number | undefined
  /** Who made them, or is their recipient. */
  readonly party?: number | undefined
}

export type TokenOrder = 'id' | 'created_at' | 'expires' | 'view_limit_left'

export const matches = (token: AccessTokenRecord, filters: TokenFilters): boolean => {
  const { bundles, directories, asset, user, createdBy, party } = filters
  return (
    (bundles === undefined || token.bundles.some(({ id }) => bundles.includes(id))) &&
    (directories === undefined || token.directories.some(({ id }) => directories.includes(id))) &&
    (asset === undefined || token.bundles.some((bundle) => bundle.asset === asset)) &&
    (user === undefined || token.user === user) &&
    (createdBy === undefined || token.createdBy === createdBy) &&
    (party === undefined || token.createdBy === party || token.user === party)
  )
}

/**
 * One page of tokens. In the order of ids a page costs what it shows, whatever the filters are: each is a list of its
 * own, and several are read side by side. By expiry the same goes for creators and recipients; of tokens that share
 * an object, up to `linksSortedInMemory` are put in order here, and of more the list of all is gone through. By views left
 * there is no index: undefined when there are more tokens than can be put in order here.
 */
export const listAccessTokens = async (
  table: Table,
  filters: TokenFilters,
  field: TokenOrder,
  request: PageRequest,
): Promise<Page<AccessTokenRecord> | undefined> => {
  const order = field === 'created_at' ? 'id' : field
  const read = async (entries: readonly ListEntry[]) => {
    const tokens = await findAccessTokens(
      table,
      entries.map(({ indexKey }) => idAtEnd(indexKey)),
    )
    // Whatever a list may say, no token is shown that isn't asked for.
    return tokens.map((token) => (token && matches(token, filters) ? token : undefined))
  }
  const listsIn = (indexOrder: IndexOrder) => {
    const people = peopleLists(filters, indexOrder)
    const lists = indexOrder === 'id' ? [...people, ...objectLists(filters)] : people
    return (lists.length > 0 ? lists : [[tokenLists.all(indexOrder)]]).map((any) => mergeSources(table, any))
  }
  const inOrder = (indexOrder: IndexOrder): Promise<Page<AccessTokenRecord>> => {
    const [only, ...others] = listsIn(indexOrder)
    const isWhole = indexOrder === 'id' || objectLists(filters).length === 0
    return only && others.length === 0 && isWhole
      ? readPage(table, only, request, read)
      : readCommonPage(listsIn(indexOrder), request, read)
  }
  if (order === 'id') return inOrder('id')
  if (order === 'expires' && objectLists(filters).length === 0) return inOrder('expires')
  const few = await readFew(listsIn('id'), linksSortedInMemory, read)
  if (few) return buildPage(few, (token) => getIndexKey(order, token), request)
  return order === 'expires' ? inOrder('expires') : undefined
}

/** Each entry is a filter, by the lists that together hold what it lets pass. */
type Lists = readonly (readonly Listing[])[]

const peopleLists = ({ user, createdBy, party }: TokenFilters, order: IndexOrder): Lists => {
  const { madeBy, madeFor } = tokenLists
  const partyLists = (): Lists => {
    // Who is asked for by one of the roles, too, is already in the list of that role.
    if (party === undefined || party === createdBy || party === user) return []
    if (createdBy !== undefined) return [[madeFor(party, order)]]
    if (user !== undefined) return [[madeBy(party, order)]]
    return [[madeBy(party, order), madeFor(party, order)]]
  }
  return [
    ...(createdBy === undefined ? [] : [[madeBy(createdBy, order)]]),
    ...(user === undefined ? [] : [[madeFor(user, order)]]),
    ...partyLists(),
  ]
}

const objectLists = ({ bundles, directories, asset }: TokenFilters): Lists => [
  ...(bundles ? [[...new Set(bundles)].map((id) => tokenLists.withBundle(id))] : []),
  ...(directories ? [[...new Set(directories)].map((id) => tokenLists.withDirectory(id))] : []),
  ...(asset === undefined ? [] : [[tokenLists.withAsset(asset)]]),
]
