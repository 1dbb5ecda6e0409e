import { byId, idsOf, readPlaces } from '../engine/listing.ts'
import type { Table } from '../engine/table.ts'
import type { SamlProviderRecord } from '../records/saml-provider-record.ts'
import { readSamlProviders } from './saml-providers.ts'

/** All SAML providers in order of id, so many at a time. */
export async function* samlProviderPages(
  table: Table,
  limit: number,
): AsyncGenerator<readonly SamlProviderRecord[]> {
  for (let after: string | undefined; ; ) {
    const places = await readPlaces(table, byId('saml-provider'), { after, limit, isDescending: false })
    const providers = await readSamlProviders(table, idsOf(places))
    yield providers.filter((provider) => provider !== undefined)
    after = places.at(-1)?.place
    if (places.length < limit) return
  }
}
