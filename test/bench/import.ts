import { randomUUID } from 'node:crypto'
import type { Entry } from '../../infra/cli/entry.ts'
import { createGroupFinder } from '../../infra/cli/group-finder.ts'
import { importUsers } from '../../infra/cli/import-users.ts'
import { startPool } from '../../infra/cli/pool.ts'
import { validateLine } from '../../infra/cli/validate-line.ts'
import { createImportContext, groupUsers, type UserToWrite } from '../../infra/cli/write-together.ts'
import { toImportedUser, writeUser } from '../../infra/cli/write-user.ts'
import { createTable } from '../../infra/local/dynamodb.ts'
import { createServices, type Services } from '../../lib/services.ts'
import { allocateUserIds } from '../../lib/store/directory/user-claims.ts'

export interface ImportSpeed {
  readonly name: string
  readonly usersPerSecond: number
  /** The processor time of this process for each user, without the engine, in milliseconds. */
  readonly cpuMs: number
}

const passwordHash = `$2b$10$${'a'.repeat(21)}e${'a'.repeat(30)}a`

const createEntries = (count: number): readonly Entry[] => {
  const run = randomUUID().slice(0, 8)
  return Array.from({ length: count }, (_, at) => ({
    line: at + 1,
    fields: {
      username: `user-${run}-${at}`,
      email: `user-${run}-${at}@example.com`,
      full_name: `User ${at}`,
      password_hash: passwordHash,
    },
    errors: [],
  }))
}

const prepareUsers = async (services: Services, count: number): Promise<readonly UserToWrite[]> => {
  const firstId = await allocateUserIds(services.table, count)
  const finder = createGroupFinder(services.table)
  const lines = await Promise.all(
    createEntries(count).map((entry) => validateLine(entry, finder, services.config)),
  )
  return lines.map((line, at) => {
    if (!line.user) throw new Error('a line of the benchmark is not valid')
    return { line, user: toImportedUser(line.user, []), id: firstId + at }
  })
}

/**
 * Imports users in three ways, one after the other: each in a transaction of its own, with the command's own code, and the
 * transactions of the command alone. The last is the least that the engine takes.
 */
export const measureImport = async (endpoint: string, count: number): Promise<readonly ImportSpeed[]> => {
  const tableName = `latchkey-${randomUUID()}`
  await createTable(endpoint, tableName)
  const services = createServices({
    ...process.env,
    DYNAMODB_ENDPOINT: endpoint,
    TABLE_NAME: tableName,
    PUBLIC_URL: 'http://127.0.0.1',
    LOG_LEVEL: 'error',
  })
  const context = createImportContext(services, 'bench')
  const single = await prepareUsers(services, count)
  const groups = await groupUsers(services, await prepareUsers(services, count), context)
  const entries = createEntries(count)
  return [
    await measure('one user in a transaction', count, async () => {
      const pool = startPool(16)
      for (const { line, user, id } of single)
        await pool.add(async () => {
          if ((await writeUser(services, line, user, { id, context })) !== 'imported')
            throw new Error('a user was not imported')
        })
      await pool.drain()
    }),
    await measure('import', count, async () => {
      const { imported } = await importUsers(readEntries(entries), {
        services,
        report: { add: async () => {}, close: async () => {} },
        isDryRun: false,
        signal: new AbortController().signal,
        onProgress: () => {},
      })
      if (imported !== count) throw new Error(`${imported} users were imported`)
    }),
    await measure('its transactions alone', count, async () => {
      const pool = startPool(6)
      for (const { steps } of groups) await pool.add(() => services.table.transact(steps))
      await pool.drain()
    }),
  ]
}

async function* readEntries(entries: readonly Entry[]): AsyncGenerator<Entry> {
  yield* entries
}

const measure = async (name: string, count: number, work: () => Promise<void>): Promise<ImportSpeed> => {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
  await work()
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { name, usersPerSecond: count / seconds, cpuMs: (user + system) / 1000 / count }
}
