import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildUser } from '../../lib/accounts/users/new-user.ts'
import { createUser } from '../../lib/accounts/users/write-users.records.ts'
import { hashPassword } from '../../lib/kernel/secrets/passwords.ts'
import { createServices, type Services } from '../../lib/services.ts'
import { withAws } from '../../local/aws-environment.ts'
import { createTable, startEngine } from '../../local/dynamodb.ts'
import { createKeyPaths } from '../../local/key-path.ts'
import { tableName } from '../../local/settings.ts'
import { seedUsers } from '../../test/support/directory.ts'
import { descendantsOf } from '../../test/support/processes.ts'
import { copyUsers } from '../copy-users.ts'
import { eachPerson, password, people, usernameOf } from './scenarios.ts'

/** One table for all forms in which Latchkey runs, so that they have the same data. */
export interface LatchkeyWorld {
  readonly env: Readonly<Record<string, string>>
  readonly dataDir: string
  readonly services: Services
  readonly enginePids: readonly number[]
  /** The IDs of the people. */
  readonly userIds: readonly number[]
  readonly seed: (rows: number) => Promise<void>
  readonly close: () => Promise<void>
}

export const passwordCost = 10
const firstSeededId = 1_000_000
/** More users than these are copies, which are written faster. */
const mostSeeded = 20_000

/** No scenario is to be refused, because the load comes from one address. */
const rateLimits = ['samlStarts', 'accountFailures', 'addressFailures', 'lookUpFailures']
  .map((name) => `${name}=1000000/60`)
  .join(',')

/** Starts the embedded engine with its data in a file, as `npm start` does, and adds the people. */
export const startLatchkeyWorld = async (): Promise<LatchkeyWorld> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-peers-'))
  const engineDir = join(dataDir, 'engine-data')
  mkdirSync(engineDir)
  const before = new Set(descendantsOf(process.pid).map(({ pid }) => pid))
  const engine = await startEngine({ dataDir: engineDir })
  const enginePids = descendantsOf(process.pid)
    .map(({ pid }) => pid)
    .filter((pid) => !before.has(pid))
  await createTable(engine.endpoint, tableName)
  const env = {
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    DYNAMODB_ENDPOINT: engine.endpoint,
    TABLE_NAME: tableName,
    LOCAL_KEY_FILE: createKeyPaths(dataDir).vaultKey,
    PASSWORD_COST: String(passwordCost),
    RATE_LIMITS: rateLimits,
    BREACH_ENDPOINT: '',
  }
  process.env = { ...withAws(process.env, { isOwnEngine: true }), ...env }
  const services = createServices({ ...env, PUBLIC_URL: 'http://127.0.0.1' })
  const passwordHash = await hashPassword(password, passwordCost)
  const permissions = ['system:admin-access']
  const userIds: number[] = []
  for (const username of eachPerson(usernameOf)) {
    const user = buildUser({ username, passwordHash, permissions })
    userIds.push((await createUser(services.table, user, services.now())).id)
  }
  let count = people
  return {
    env,
    dataDir,
    services,
    enginePids,
    userIds,
    seed: async (rows) => {
      const from = count
      await seedUsers({ services }, Math.min(rows, mostSeeded) - from, firstSeededId + from, (at) => ({
        username: `seeded-${String(from + at).padStart(7, '0')}`,
        full_name: `Person ${from + at} of the Directory`,
        email: `person.${from + at}@example.org`,
      }))
      const copies = { from: Math.max(from, mostSeeded), to: rows, firstId: firstSeededId }
      if (rows > copies.from) copyUsers(join(engineDir, 'latchkey.db'), tableName, copies)
      count = Math.max(count, rows)
    },
    close: async () => {
      await engine.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
