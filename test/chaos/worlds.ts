import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../../bench/soak/random.ts'
import { membershipPrefix } from '../../lib/kernel/table/keys/organization-keys.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import { readService } from '../../local/data-lock.ts'
import { startEngine } from '../../local/dynamodb.ts'
import { findFreePortPair } from '../../local/ports.ts'
import { tableName as localTableName } from '../../local/settings.ts'
import { clientOf } from '../support/client.ts'
import { type LocalService, runStart } from '../support/local-service.ts'
import { addPerson } from '../support/people.ts'
import { descendantsOf } from '../support/processes.ts'
import { startService } from '../support/service.ts'
import { readItems } from '../support/table-copies.ts'
import { startDisturbingProxy } from './proxy.ts'

/** A service, and what happens to it while clients work. */
export interface World {
  readonly url: string
  readonly admin: { readonly username: string; readonly password: string }
  /** Waits while the service starts again. */
  readonly whenUp: () => Promise<void>
  /** Called after each operation: kills are due after a number of them. */
  readonly noteOperation: () => void
  /** Starts or ends the storm. Resolves when the service works and nothing is on its way any more. */
  readonly setStorm: (isActive: boolean) => Promise<void>
  /** What happened, by kind. */
  readonly counts: Readonly<Record<string, number>>
  /** The texts of all emails to an address. */
  readonly readMails: (address: string) => Promise<readonly string[]>
  /** How long an email is awaited. A storm loses some, and then the scenario ends. */
  readonly mailWaitMs: number
  /** All items that the checks of the table compare. */
  readonly readTable: () => Promise<readonly Item[]>
  /** The same items of a backup that was made during the storm, as a restore brings them back. */
  readonly readBackup?: () => Promise<readonly Item[]>
  readonly close: () => Promise<void>
}

/** Sessions, tickets and mail jobs are items that no check of the table reads, and most of all. */
const isCompared = ({ pk, sk }: Item): boolean =>
  !pk.startsWith('user#') || sk === 'user' || sk.startsWith('api-token') || sk.startsWith(membershipPrefix)

const password = 'violin harbor mustard chaos'

const mailWaitMs = 4000

/** Starts the handlers with disruptions between them and their table. Needs an engine in `DYNAMODB_ENDPOINT`. */
export const startDisturbedWorld = async (seed: number): Promise<World> => {
  const proxy = await startDisturbingProxy(process.env['DYNAMODB_ENDPOINT'] ?? '', seed)
  const service = await startService(
    { DYNAMODB_ENDPOINT: proxy.url, LOG_LEVEL: 'error' },
    { keepsLog: false },
  )
  const { user } = await addPerson(service, { permissions: ['system:admin-access'] }, password)
  return {
    url: service.url,
    admin: { username: user.username, password },
    whenUp: async () => {},
    noteOperation: () => {},
    setStorm: async (isActive) => {
      proxy.setActive(isActive)
      if (!isActive) await proxy.settle()
    },
    counts: proxy.counts,
    mailWaitMs,
    readMails: async (address) => service.mailbox.mailsTo(address).map(({ text }) => text),
    readTable: () => readItems(service.tableName, isCompared),
    close: async () => {
      await service.close()
      await proxy.close()
    },
  }
}

/** Who gets which signal. The engine is the program that stores the data, a child of the service. */
const blows = [
  { kind: 'service SIGKILL', isEngine: false, signal: 'SIGKILL' },
  { kind: 'service SIGTERM', isEngine: false, signal: 'SIGTERM' },
  { kind: 'engine SIGKILL', isEngine: true, signal: 'SIGKILL' },
  { kind: 'engine SIGTERM', isEngine: true, signal: 'SIGTERM' },
] as const

/** Starts local mode, whose service or engine is killed after some operations and started again. */
export const startKilledWorld = async (seed: number): Promise<World> => {
  const random = createRandom(seed)
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-chaos-'))
  const dataDir = join(folder, 'data')
  const backup = join(folder, 'backup')
  const port = await findFreePortPair()
  const environment = { DATA_DIR: dataDir, PORT: String(port), ADMIN_PASSWORD: password, LOG_LEVEL: 'error' }
  const counts: Record<string, number> = Object.fromEntries(blows.map(({ kind }) => [kind, 0]))
  let service: LocalService
  let restarting = Promise.resolve()
  let isActive = false
  let operationsLeft = 0
  let kills = 0
  const start = async (): Promise<void> => {
    service = runStart(environment)
    const hasEnded = service.exited.then(() => true)
    while (!/^ready /m.test(service.stdout()))
      if (await Promise.race([hasEnded, once(service.process.stdout, 'data').then(() => false)]))
        throw new Error(`Latchkey did not start again: ${service.stderr()}`)
  }
  const planNext = () => {
    operationsLeft = 15 + Math.floor(random() * 30)
  }
  const strike = async (): Promise<void> => {
    const { kind, isEngine, signal } = blows[kills++ % blows.length] ?? blows[0]
    const engine = descendantsOf(service.pid).find(({ command }) => !command.startsWith('sh '))
    counts[kind] = (counts[kind] ?? 0) + 1
    process.kill(isEngine ? (engine?.pid ?? service.pid) : service.pid, signal)
    await service.exited
    // Only a service that ended by itself has closed its engine.
    if (!isEngine && signal === 'SIGTERM' && !existsSync(backup)) cpSync(dataDir, backup, { recursive: true })
    await start()
    planNext()
  }
  await start()
  const mailbox = clientOf(`http://127.0.0.1:${port + 1}`)
  return {
    url: `http://127.0.0.1:${port}`,
    admin: { username: 'admin', password },
    whenUp: () => restarting,
    noteOperation: () => {
      if (!isActive || operationsLeft < 0 || --operationsLeft >= 0) return
      restarting = strike()
    },
    setStorm: async (active) => {
      isActive = active
      if (active) planNext()
      await restarting
    },
    counts,
    mailWaitMs,
    // The endpoint for emails ends with the service, and forgets those before.
    readMails: async (address) => {
      const { body } = await mailbox('GET', '/store').catch(() => ({ body: { emails: [] } }))
      return body.emails
        .filter((mail: StoredMail) => mail.destination.to.includes(address))
        .map((mail: StoredMail) => mail.body.text)
    },
    readTable: () => readItems(localTableName, isCompared, readService(dataDir)?.endpoint),
    readBackup: async () => {
      const engine = await startEngine({ dataDir: backup })
      try {
        return await readItems(localTableName, isCompared, engine.endpoint)
      } finally {
        await engine.close()
      }
    },
    close: async () => {
      service.process.kill('SIGKILL')
      await service.exited
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

interface StoredMail {
  readonly destination: { readonly to: readonly string[] }
  readonly body: { readonly text: string }
}
