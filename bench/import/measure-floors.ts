import { retryThrottled, startPool } from '../../cli/pool.ts'
import { createImportContext } from '../../cli/users/import-users.ts'
import { allocateUserIds } from '../../lib/accounts/names/user-claims.records.ts'
import { createGroupFinder } from '../../lib/features/user-files/group-finder.ts'
import { type UserToWrite, validateLine } from '../../lib/features/user-files/validate-line.ts'
import { groupUsers, toImportedUser } from '../../lib/features/user-files/write-user.ts'
import { nameLocalUser } from '../../lib/kernel/table/account.ts'
import { type AttributeMap, toAttributeMap } from '../../lib/kernel/table/call-body.ts'
import { createPost } from '../../lib/kernel/table/post.ts'
import type { Step } from '../../lib/kernel/table/transaction.ts'
import { createServices, type Services } from '../../lib/services.ts'
import { createTable, startEngine } from '../../local/dynamodb.ts'
import { createExampleUsers } from './example-users.ts'
import { type Usage, watchProcesses } from './watch-processes.ts'

const parallelCalls = 4
/** DynamoDB accepts this many items in a batch. */
const itemsPerBatch = 25
const tableName = 'latchkey'

/**
 * Measures what an import cannot be faster than: its items in bare batches, without any condition, and its transactions
 * without reading and checking a file.
 */
export const measureFloors = async (
  dataDir: string,
  count: number,
): Promise<{ readonly batches: Usage; readonly transactions: Usage }> => {
  const engine = await startEngine({ dataDir })
  try {
    await createTable(engine.endpoint, tableName)
    const services = createServices({
      ...process.env,
      DYNAMODB_ENDPOINT: engine.endpoint,
      EMBEDDED_ENGINE: 'true',
      TABLE_NAME: tableName,
      PUBLIC_URL: 'http://127.0.0.1',
      LOG_LEVEL: 'error',
    })
    const puts = (await prepareTransactions(services, count, 'batch'))
      .flat()
      .flatMap((step) => ('put' in step ? [toAttributeMap(step.put)] : []))
    const bodies = Array.from({ length: Math.ceil(puts.length / itemsPerBatch) }, (_, at) =>
      writeBatch(puts.slice(at * itemsPerBatch, (at + 1) * itemsPerBatch)),
    )
    const transactions = await prepareTransactions(services, count, 'transaction')
    const post = createPost(new URL(engine.endpoint), { connectMs: 1000, totalMs: 10_000 })
    const sendBatch = async (body: string) => {
      const headers = await nameLocalUser(batchHeaders, body)
      const { status, text } = await post(headers, body)
      if (status !== 200 || !text.includes('"UnprocessedItems":{}')) throw new Error(text)
    }
    const measure = (jobs: readonly (() => Promise<void>)[]) =>
      watchProcesses(process.pid, async () => {
        const pool = startPool(parallelCalls)
        for (const job of jobs) await pool.add(job)
        await pool.drain()
      })
    return {
      batches: await measure(bodies.map((body) => () => sendBatch(body))),
      transactions: await measure(transactions.map((steps) => () => write(services, steps))),
    }
  } finally {
    await engine.close()
  }
}

const write = ({ table }: Services, steps: readonly Step[]) =>
  table.transact(steps, { recognizesOwnWrites: true })

const batchHeaders = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': 'DynamoDB_20120810.BatchWriteItem',
}

const writeBatch = (items: readonly AttributeMap[]): string =>
  JSON.stringify({ RequestItems: { [tableName]: items.map((Item) => ({ PutRequest: { Item } })) } })

const prepareTransactions = async (
  services: Services,
  count: number,
  name: string,
): Promise<readonly (readonly Step[])[]> => {
  const firstId = await allocateUserIds(services.table, count)
  const finder = createGroupFinder(services.table)
  const users: UserToWrite[] = []
  for (const [at, fields] of createExampleUsers(count, name).entries()) {
    const rules = { groupFinder: finder, config: services.config, definitions: [] }
    const line = await validateLine({ line: at + 1, fields, errors: [] }, rules)
    if (!line.user) throw new Error('a line of the benchmark is not valid')
    users.push({ line, user: toImportedUser(line.user, line, []), id: firstId + at })
  }
  const groups = await groupUsers(
    { services, context: createImportContext(services, 'bench'), retry: retryThrottled },
    users,
  )
  return groups.map(({ steps }) => steps)
}
