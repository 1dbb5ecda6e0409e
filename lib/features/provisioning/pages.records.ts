import {
  type ScimKind,
  scimGroupPrefix,
  scimPartition,
  scimPlaceKey,
  scimUserPrefix,
} from '../../kernel/table/keys/scim-keys.ts'
import { type Listing, readEntries } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Item } from '../../kernel/table/transaction.ts'
import { minute } from '../../kernel/util/time.ts'

/*
 * The people and groups of a connection in the order of their IDs, which is that of their creation. A directory asks for the next page by
 * its number. The place where it begins is kept for a while, so that no page is read twice.
 */

const prefixes: Readonly<Record<ScimKind, string>> = { user: scimUserPrefix, group: scimGroupPrefix }

/** The people or the groups of a connection. */
export const getScimListing = (connectionId: number, kind: ScimKind): Listing => ({
  pk: scimPartition(connectionId),
  from: prefixes[kind],
  to: `${prefixes[kind]}~`,
})

/** Reads resources after the one with the ID `after`. */
export const readScimItems = async (
  table: Table,
  connectionId: number,
  kind: ScimKind,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<readonly Item[]> => {
  const prefix = prefixes[kind]
  const entries = await readEntries(table, getScimListing(connectionId, kind), {
    after: after === undefined ? undefined : `${prefix}${after}`,
    limit,
    isDescending: false,
  })
  return entries.map(({ item }) => item)
}

const placeMs = 10 * minute

/** Finds the ID after which the page begins that starts with a number. Undefined if it is not known any more. */
export const findScimPlace = async (
  table: Table,
  nowMs: number,
  {
    connectionId,
    kind,
    start,
  }: { readonly connectionId: number; readonly kind: ScimKind; readonly start: number },
): Promise<string | undefined> => {
  const item = await table.get(scimPlaceKey(connectionId, kind, start))
  const isFresh = typeof item?.['expires_at'] === 'number' && item['expires_at'] * 1000 > nowMs
  return isFresh && typeof item['after'] === 'string' ? item['after'] : undefined
}

/** Keeps the place where the next page begins. */
export const keepScimPlace = (
  table: Table,
  nowMs: number,
  {
    connectionId,
    kind,
    start,
    after,
  }: {
    readonly connectionId: number
    readonly kind: ScimKind
    readonly start: number
    readonly after: string
  },
): Promise<void> =>
  table.put({
    ...scimPlaceKey(connectionId, kind, start),
    after,
    expires_at: Math.ceil((nowMs + placeMs) / 1000),
  })
