import { accessTokenIndexKey, accessTokenKey, type Key, sortableId } from '../engine/keys.ts'
import type { Listing } from '../engine/listing.ts'
import type { Item } from '../engine/transaction.ts'
import type { AccessTokenRecord } from '../records/access-token-record.ts'

/*
 * The lists that a token stands in. All tokens, those of one creator and those for one recipient are kept in two
 * orders: by id, which is by creation as well, and by expiry. Those that share one object are kept by id. The record
 * itself bears its place among all; each other place is a small item beside it. `viewsLeft` has no such order: it
 * changes with each use, and uses at the same moment would have to queue to move their entry.
 */

export type IndexOrder = 'id' | 'expires'

type Listed = Pick<AccessTokenRecord, 'id' | 'createdBy' | 'user' | 'expiresAt' | 'bundles' | 'directories'>

const all = 'access-token'
const madeBy = (user: number): string => `${all}#by#${user}`
const madeFor = (user: number): string => `${all}#for#${user}`
const withBundle = (id: number): string => `${all}#bundle#${id}`
const withDirectory = (id: number): string => `${all}#directory#${id}`
const withAsset = (id: number): string => `${all}#asset#${id}`

const nameIn = (order: IndexOrder, name: string): string => (order === 'id' ? name : `${name}#by-${order}`)
const listing =
  (name: (id: number) => string) =>
  (id: number, order: IndexOrder = 'id'): Listing => ({ pk: nameIn(order, name(id)), isListing: true })

/** The lists, to be read by pages. */
export const tokenLists = {
  all: (order: IndexOrder): Listing => ({ pk: nameIn(order, all), isListing: true }),
  madeBy: listing(madeBy),
  madeFor: listing(madeFor),
  withBundle: listing(withBundle),
  withDirectory: listing(withDirectory),
  withAsset: listing(withAsset),
}

/** The sort key of a token in an order. What never expires comes after all that does. */
export const getIndexKey = (
  order: IndexOrder | 'view_limit_left',
  token: Pick<AccessTokenRecord, 'id' | 'expiresAt' | 'viewsLeft'>,
): string => {
  const id = sortableId(token.id)
  if (order === 'id') return id
  if (order === 'view_limit_left') return `${sortableId(token.viewsLeft)}#${id}`
  return `${token.expiresAt === null ? 'never' : new Date(token.expiresAt).toISOString()}#${id}`
}

/** What the record bears. */
export const recordListing = ({ id }: Listed) => ({ lpk: all, lsk: sortableId(id) })

/** The items beside the record, of which there may be some eighty. */
export const buildIndexItems = (token: Listed): readonly Item[] => {
  const people = [madeBy(token.createdBy), madeFor(token.user)]
  const assets = new Set(token.bundles.flatMap(({ asset }) => asset ?? []))
  const byId = [
    ...people,
    ...token.bundles.map(({ id }) => withBundle(id)),
    ...token.directories.map(({ id }) => withDirectory(id)),
    ...[...assets].map(withAsset),
  ]
  const byExpiry = [all, ...people].map((name) => nameIn('expires', name))
  const places = { id: sortableId(token.id), expires: getIndexKey('expires', { ...token, viewsLeft: 0 }) }
  const item = (name: string, lsk: string): Item => ({
    ...keyIn(token.id, name),
    lpk: name,
    lsk,
  })
  return [...byId.map((name) => item(name, places.id)), ...byExpiry.map((name) => item(name, places.expires))]
}

const keyIn = (id: number, name: string): Key => accessTokenIndexKey(id, name.slice(all.length + 1))
export const tokenPartition = (id: number): string => accessTokenKey(id).pk
