import { getIds, type Listing, readEntries } from '../../store/engine/listing.ts'
import type { Table } from '../../store/engine/table.ts'
import type { AccessTokenRecord } from '../../store/links/access-token-record.ts'
import { findAccessTokens } from '../../store/links/access-tokens.ts'

const pageSize = 100

/** Reads the access tokens of a list page by page. An index entry may exist a moment longer than its access token. */
export async function* linksIn(table: Table, listing: Listing): AsyncGenerator<readonly AccessTokenRecord[]> {
  for (let after: string | undefined; ; ) {
    const entries = await readEntries(table, listing, { after, limit: pageSize, isDescending: false })
    yield (await findAccessTokens(table, getIds(entries))).filter((token) => token !== undefined)
    if (entries.length < pageSize) return
    after = entries.at(-1)?.indexKey
  }
}
