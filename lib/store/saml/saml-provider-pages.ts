import { getIds, getListing, readEntries } from '../engine/listing.ts'
import type { Table } from '../engine/table.ts'
import { readSamlProviders, type SamlProviderRecord } from './saml-providers.ts'

/** Reads all SAML providers in order of ID, `limit` at a time. */
export async function* readSamlProviderPages(
  table: Table,
  limit: number,
): AsyncGenerator<readonly SamlProviderRecord[]> {
  const listing = getListing('saml-provider', 'id')
  for (let after: string | undefined; ; ) {
    const entries = await readEntries(table, listing, { after, limit, isDescending: false })
    const providers = await readSamlProviders(table, getIds(entries))
    yield providers.filter((provider) => provider !== undefined)
    after = entries.at(-1)?.indexKey
    if (entries.length < limit) return
  }
}
