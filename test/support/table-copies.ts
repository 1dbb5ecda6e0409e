import { openTableScan } from '../../lib/store/engine/table-scan.ts'
import type { Item } from '../../lib/store/engine/transaction.ts'
import type { TestService } from './service.ts'

/** Reads all items of a table, or those to keep of a table with very many. */
export const readItems = async (
  tableName: string,
  isKept: (item: Item) => boolean = () => true,
): Promise<readonly Item[]> => {
  const scan = openTableScan({ tableName, endpoint: process.env['DYNAMODB_ENDPOINT'] })
  const items: Item[] = []
  let next: Item | { readonly pk: string; readonly sk: string } | undefined
  do {
    const page = await scan.readPage({ number: 0, count: 1 }, next, 1000)
    items.push(...page.items.filter(isKept))
    next = page.next
  } while (next)
  return items
}

/** Gives the table of a service the content that it had before, like a restore. */
export const restoreItems = async (
  { services, tableName }: TestService,
  items: readonly Item[],
): Promise<void> => {
  const keyOf = ({ pk, sk }: Item) => JSON.stringify([pk, sk])
  const kept = new Set(items.map(keyOf))
  const added = (await readItems(tableName)).filter((item) => !kept.has(keyOf(item)))
  const steps = [
    ...added.map(({ pk, sk }) => ({ delete: { pk, sk } })),
    ...items.map((item) => ({ put: item })),
  ]
  for (let from = 0; from < steps.length; from += 100)
    await services.table.transact(steps.slice(from, from + 100))
}
