import { isDeepStrictEqual } from 'node:util'
import { openTableScan, type TableScan } from '../../lib/kernel/table/table-scan.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import type { TestService } from './service.ts'

/** A client of the SDK takes longer to create than a small table to read. */
const scans = new Map<string, TableScan>()

const findScan = (tableName: string, endpoint: string | undefined): TableScan => {
  const key = `${endpoint} ${tableName}`
  const scan = scans.get(key) ?? openTableScan({ tableName, endpoint })
  scans.set(key, scan)
  return scan
}

/** Reads all items of a table, or those to keep of a table with very many. */
export const readItems = async (
  tableName: string,
  isKept: (item: Item) => boolean = () => true,
  endpoint = process.env['DYNAMODB_ENDPOINT'],
): Promise<readonly Item[]> => {
  const scan = findScan(tableName, endpoint)
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
  { services, tableName }: Pick<TestService, 'services' | 'tableName'>,
  items: readonly Item[],
): Promise<void> => {
  const keyOf = ({ pk, sk }: Item) => JSON.stringify([pk, sk])
  const kept = new Set(items.map(keyOf))
  const present = new Map((await readItems(tableName)).map((item) => [keyOf(item), item]))
  const added = [...present.values()].filter((item) => !kept.has(keyOf(item)))
  const changed = items.filter((item) => !isDeepStrictEqual(present.get(keyOf(item)), item))
  const steps = [
    ...added.map(({ pk, sk }) => ({ delete: { pk, sk } })),
    ...changed.map((item) => ({ put: item })),
  ]
  for (let from = 0; from < steps.length; from += 100)
    await services.table.transact(steps.slice(from, from + 100))
}
