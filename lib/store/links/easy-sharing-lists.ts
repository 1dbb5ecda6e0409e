import type { Table } from '../engine/table.ts'
import { listAccessTokens } from './access-token-lists.ts'
import type { AccessTokenRecord, EasySharing } from './access-token-record.ts'

const pageSize = 100

/**
 * Reads the tokens with which a user shares an object easily, newest first, page by page. It reads the lists of their
 * tokens and of the object together, so the cost depends on the shorter one.
 */
export async function* readEasySharing(
  table: Table,
  createdBy: number,
  { kind, id }: Pick<EasySharing, 'kind' | 'id'>,
): AsyncGenerator<readonly AccessTokenRecord[]> {
  const filters = { createdBy, ...(kind === 'bundle' ? { bundles: [id] } : { directories: [id] }) }
  for (let after: string | undefined; ; ) {
    const page = await listAccessTokens(table, filters, 'id', {
      after,
      skip: 0,
      limit: pageSize,
      isDescending: true,
    })
    const tokens = page?.rows.map(({ row }) => row) ?? []
    yield tokens.filter(({ easySharing }) => easySharing?.kind === kind && easySharing.id === id)
    after = page?.next?.after
    if (after === undefined) return
  }
}
