import { accessLinkIndexKey, accessLinkKey, type Key } from '../../kernel/table/keys/keys.ts'
import { accessLinkList } from '../../kernel/table/keys/listing-keys.ts'
import type { Listing } from '../../kernel/table/listing.ts'
import type { Item } from '../../kernel/table/transaction.ts'
import { sortableId } from '../../kernel/util/sortable-id.ts'
import type { AccessLinkRecord } from './link.records.ts'

/*
 * The lists that contain a link. All links, those of a creator and those of a recipient are listed in two orders: by
 * ID, which is also the order of creation, and by expiration. Those of an
 * organization, and those that share an object, are listed by ID. The record is
 * itself the entry in the list of all. Each other entry is a small item. Other orders have no entries: each would be one
 * more item of every link. Entries in order of `view_limit_left` would also have to move with each use.
 */

export type IndexOrder = 'id' | 'expires'

type Listed = Pick<
  AccessLinkRecord,
  'id' | 'createdBy' | 'organization' | 'user' | 'expiresAt' | 'bundles' | 'directories'
>

const all = accessLinkList
const madeBy = (user: number): string => `${all}#by#${user}`
const madeFor = (user: number): string => `${all}#for#${user}`
const ofOrganization = (id: number): string => `${all}#organization#${id}`
const withBundle = (id: number): string => `${all}#bundle#${id}`
const withDirectory = (id: number): string => `${all}#directory#${id}`
const withAsset = (id: number): string => `${all}#asset#${id}`

const getListName = (order: IndexOrder, name: string): string =>
  order === 'id' ? name : `${name}#by-${order}`
const createListing =
  (name: (id: number) => string) =>
  (id: number, order: IndexOrder = 'id'): Listing => ({ pk: getListName(order, name(id)), index: 'listing' })

/** The lists, to be read by pages. */
export const linkLists = {
  all: (order: IndexOrder): Listing => ({ pk: getListName(order, all), index: 'listing' }),
  madeBy: createListing(madeBy),
  madeFor: createListing(madeFor),
  ofOrganization: createListing(ofOrganization),
  withBundle: createListing(withBundle),
  withDirectory: createListing(withDirectory),
  withAsset: createListing(withAsset),
}

/** The sort key of a link in an order. Links that never expire come last. */
export const getIndexKey = (order: IndexOrder, link: Pick<AccessLinkRecord, 'id' | 'expiresAt'>): string => {
  const id = sortableId(link.id)
  if (order === 'id') return id
  return `${link.expiresAt === null ? 'never' : new Date(link.expiresAt).toISOString()}#${id}`
}

/** The record's own entry in the list of all links. */
export const recordListing = ({ id }: Listed) => ({ lpk: all, lsk: sortableId(id) })

/** The further list entries. A link can have about eighty. */
export const buildIndexItems = (link: Listed): readonly Item[] => {
  const people = [madeBy(link.createdBy), madeFor(link.user)]
  const assets = new Set(link.bundles.flatMap(({ asset }) => asset ?? []))
  const byId = [
    ...people,
    ...(link.organization === undefined ? [] : [ofOrganization(link.organization)]),
    ...link.bundles.map(({ id }) => withBundle(id)),
    ...link.directories.map(({ id }) => withDirectory(id)),
    ...[...assets].map(withAsset),
  ]
  const byExpiry = [all, ...people].map((name) => getListName('expires', name))
  const indexKeys = {
    id: sortableId(link.id),
    expires: getIndexKey('expires', link),
  }
  const buildItem = (name: string, lsk: string): Item => ({
    ...getEntryKey(link.id, name),
    lpk: name,
    lsk,
  })
  return [
    ...byId.map((name) => buildItem(name, indexKeys.id)),
    ...byExpiry.map((name) => buildItem(name, indexKeys.expires)),
  ]
}

/** The list entries that change with the expiration of a link. */
export const buildExpiryItems = (link: Listed): readonly Item[] =>
  buildIndexItems(link).filter(({ lpk }) => String(lpk).endsWith(getListName('expires', '')))

const getEntryKey = (id: number, name: string): Key => accessLinkIndexKey(id, name.slice(all.length + 1))
export const linkPartition = (id: number): string => accessLinkKey(id).pk
