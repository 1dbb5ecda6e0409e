import { mapInBatches } from '../../util/map-in-batches.ts'
import { readEntries } from '../engine/listing.ts'
import type { Table } from '../engine/table.ts'
import { samlProviderKey } from '../keys/keys.ts'
import { samlFlowPartitions } from '../keys/saml-keys.ts'

/**
 * Deletes the sign-ins in progress of a deleted provider. Returns whether there were any. `endSessionsOfProvider` ends
 * the provider's sessions.
 */
export const cleanUpDeletedProvider = async (table: Table, providerId: number): Promise<boolean> => {
  const results = await mapInBatches(samlFlowPartitions(providerId), partitionsAtOnce, (pk) =>
    cleanUpPartition(table, pk),
  )
  return results.includes(true)
}

const partitionsAtOnce = 8

const cleanUpPartition = async (table: Table, pk: string): Promise<boolean> => {
  const { sk } = samlProviderKey(0)
  for (let hadItems = false; ; hadItems = true) {
    const entries = await readEntries(table, { pk, isListing: false }, { limit: 50, isDescending: false })
    const hasProvider = entries.some(({ indexKey }) => indexKey === sk)
    if (entries.length === 0 || hasProvider) return hadItems
    await table.transact(entries.map(({ key }) => ({ delete: key })))
  }
}
