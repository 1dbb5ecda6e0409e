import { samlProviderKey } from '../engine/keys.ts'
import { readPlaces } from '../engine/listing.ts'
import type { Table } from '../engine/table.ts'

/**
 * Clears away the flows that were under way through a provider that is gone, and returns whether there were any. Its
 * sessions are ended by `endSessionsOfProvider`.
 */
export const cleanUpDeletedProvider = async (table: Table, providerId: number): Promise<boolean> => {
  const { pk, sk } = samlProviderKey(providerId)
  for (let hadAny = false; ; hadAny = true) {
    const places = await readPlaces(table, { pk, isListing: false }, { limit: 50, isDescending: false })
    // One that is there has no leftovers.
    if (places.length === 0 || places.some(({ place }) => place === sk)) return hadAny
    await table.transact(places.map(({ key }) => ({ delete: key })))
  }
}
