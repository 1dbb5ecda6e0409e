import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServices } from '../../lib/services.ts'
import { startProxy } from '../../test/infra/dynamodb-proxy.ts'
import { createConflicts } from '../../test/runner/strict-table/conflicts.ts'
import { clientOf } from '../../test/support/client.ts'
import { openMailbox } from '../../test/support/mailbox.ts'
import type { TestService } from '../../test/support/service.ts'
import { checkTable } from './check-table.ts'
import * as directory from './directory-scenarios.ts'
import { createDisruptions } from './disruptions.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createMailIndex } from './mail-index.ts'
import * as oneTime from './one-time-scenarios.ts'
import { createRandom } from './random.ts'
import type { Memory } from './serve.ts'
import { startServed } from './start-served.ts'
import { Interrupted } from './watched-client.ts'
import { prepareWorld } from './world.ts'

export interface SoakOptions {
  readonly durationMs: number
  readonly seed: number
  /** How many scenarios run at the same time. */
  readonly inFlight: number
  /** Called once a minute with the state in one line. */
  readonly onProgress?: (line: string) => void
}

export interface SoakReport {
  readonly summary: string
  readonly problems: readonly string[]
}

/** Scenarios and how often they run: see `test/chaos/feature-scenarios.ts`. */
export const scenarios: readonly (readonly [oneTime.Scenario, number])[] = [
  [oneTime.exchangeTicket, 20],
  [oneTime.resetPassword, 8],
  [oneTime.acceptInvitation, 8],
  [oneTime.signInByEmail, 8],
  [oneTime.useRecoveryCode, 6],
  [oneTime.exchangeOAuthCode, 8],
  [oneTime.replaySamlResponse, 4],
  [directory.signInAndOut, 12],
  [directory.shareLink, 10],
  [directory.useApiToken, 10],
  [directory.renameUsers, 8],
  [directory.changeGroups, 8],
]
const totalWeight = scenarios.reduce((sum, [, weight]) => sum + weight, 0)

/** Each scenario runs once at first, so that a short soak has all of them. Then chance decides. */
const createChoice = (random: () => number): (() => oneTime.Scenario) => {
  const first = scenarios.map(([scenario]) => scenario)
  return () => {
    let left = random() * totalWeight
    const isChosen = ([, weight]: readonly [oneTime.Scenario, number]) => {
      left -= weight
      return left < 0
    }
    return first.shift() ?? scenarios.find(isChosen)?.[0] ?? oneTime.exchangeTicket
  }
}

/** How many scenarios start in a second. The engine keeps all of their records in memory. */
const mostPerSecond = 20

/** Memory has settled after a third of the time. */
const measuredAt = [1 / 3, 2 / 3] as const
/** In shorter runs, caches and compiled code still grow. */
const flatFromMs = 5 * 60_000
const mostGrowth = { heap: 1.05, rss: 1.1 } as const

/** Runs mixed load with disruptions of the table, and checks what it left. */
export const runSoak = async (options: SoakOptions): Promise<SoakReport> => {
  const engine = process.env['DYNAMODB_ENDPOINT'] ?? ''
  const { durationMs, seed, inFlight, onProgress } = options
  const random = createRandom(seed)
  const disruptions = createDisruptions(random)
  const conflicts = createConflicts()
  const proxy = await startProxy({ endpoint: engine, ...disruptions.hooks, intercept: conflicts.start })
  const mailbox = await openMailbox()
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-soak-'))
  // Browsers send the cookie of a sign-in through a provider only to https.
  const shared = { LOCAL_KEY_FILE: join(folder, 'vault.key'), PUBLIC_URL: 'https://auth.example.com' }
  const served = await startServed({
    ...shared,
    DYNAMODB_ENDPOINT: proxy.url,
    AWS_ENDPOINT_URL_SES: mailbox.url,
    LOG_LEVEL: 'error',
  })
  try {
    Object.assign(process.env, {
      ...shared,
      TABLE_NAME: served.tableName,
      PASSWORD_COST: '4',
      AWS_ENDPOINT_URL_SES: mailbox.url,
      MAIL_FROM: 'no-reply@localhost',
    })
    const service: TestService = {
      url: served.url,
      client: clientOf(served.url),
      services: createServices(process.env),
      tableName: served.tableName,
      log: [],
      mailbox,
      informClients: async () => {},
      deleteDueAccounts: async () => {},
      invokeConfig: async () => {
        throw new Error('Nothing here configures a service.')
      },
      close: async () => {},
    }
    const ledger = createLedger()
    const mails = createMailIndex(mailbox, ledger)
    const { openScene } = await prepareWorld(service, { ledger, mails, random })

    const startedAt = performance.now()
    const elapsed = () => performance.now() - startedAt
    const memory: Memory[] = []
    const chooseScenario = createChoice(random)
    let nextAt = 0
    const work = async () => {
      while (elapsed() < durationMs) {
        nextAt = Math.max(nextAt + 1000 / mostPerSecond, elapsed())
        await sleep(Math.max(0, nextAt - elapsed()))
        await runScenario(chooseScenario(), openScene(), ledger)
      }
    }
    const watch = async () => {
      let minutes = 0
      while (elapsed() < durationMs) {
        await sleep(Math.min(250, durationMs / 30))
        if (elapsed() >= (measuredAt[memory.length] ?? Number.POSITIVE_INFINITY) * durationMs)
          memory.push(await served.measureMemory())
        if (elapsed() < (minutes + 1) * 60_000) continue
        minutes++
        onProgress?.(`${minutes} min: ${describeLoad(ledger, disruptions.counts)}`)
      }
    }
    disruptions.setActive(true)
    await Promise.all([watch(), ...Array.from({ length: inFlight }, work)])
    disruptions.setActive(false)
    memory.push(await served.measureMemory())

    const halfMade = await checkTable(service, ledger, mails)
    for (const line of halfMade) ledger.report(line)
    const failures = ledger.statuses.get(500) ?? 0
    if (failures > disruptions.exhausted())
      ledger.report(
        `${failures} answers with 500, but only ${disruptions.exhausted()} calls failed in all attempts`,
      )
    if (durationMs >= flatFromMs) checkMemory(memory, ledger)
    const undeclared = await served.close()
    if (undeclared !== undefined) ledger.report(undeclared)
    const summary = `soak: ${describeLoad(ledger, disruptions.counts)}; spent twice: ${ledger.counts.spentTwice} of ${ledger.counts.races}; half-made: ${halfMade.length}; memory after GC ${describeMemory(memory)}; problems: ${ledger.problems.size}`
    return { summary, problems: [...ledger.problems].map(([line, count]) => `${count} × ${line}`) }
  } finally {
    served.kill()
    await mailbox.close()
    await proxy.close()
    process.env['DYNAMODB_ENDPOINT'] = engine
    rmSync(folder, { recursive: true })
  }
}

type OpenedScene = Parameters<oneTime.Scenario>[0] & { readonly wasDisturbed: () => boolean }

const runScenario = async (scenario: oneTime.Scenario, scene: OpenedScene, ledger: Ledger): Promise<void> => {
  ledger.counts.scenarios++
  try {
    await scenario(scene)
  } catch (error) {
    if (error instanceof Interrupted || scene.wasDisturbed()) ledger.counts.interrupted++
    else ledger.report(`${scenario.name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const checkMemory = (memory: readonly Memory[], { report }: Ledger): void => {
  const [settled, last] = [memory[0], memory.at(-1)]
  if (!settled || !last) return
  for (const kind of ['heap', 'rss'] as const)
    if (last[kind] > settled[kind] * mostGrowth[kind])
      report(`memory grew: ${kind} from ${megabytes(settled[kind])} to ${megabytes(last[kind])}`)
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`

const describeMemory = (memory: readonly Memory[]): string =>
  (['heap', 'rss'] as const)
    .map((kind) => `${kind} ${memory.map((one) => megabytes(one[kind])).join(' → ')}`)
    .join(', ')

const describeCounts = (counts: Iterable<readonly [string | number, number]>): string =>
  [...counts].map(([name, count]) => `${name} ${count}`).join(', ')

const describeLoad = (
  { counts, statuses }: Ledger,
  disruptionCounts: Readonly<Record<string, number>>,
): string =>
  `${counts.requests} requests (${describeCounts([...statuses].sort(([a], [b]) => a - b))}), ` +
  `${counts.scenarios} scenarios, ${counts.interrupted} interrupted, disruptions (${describeCounts(Object.entries(disruptionCounts))})`
