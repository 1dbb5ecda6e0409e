import { createRandom } from '../../bench/soak/random.ts'
import { findHalfMade } from '../../bench/soak/read-back.ts'
import { clientFrom, loopback } from '../support/addressed-client.ts'
import type { Client, JsonValue } from '../support/client.ts'
import { findNextPath } from '../support/next-page.ts'
import { createDriver, Interrupted, type Lie, type Scenario } from './driver.ts'
import { chaosScenarios } from './feature-scenarios.ts'
import { type Book, createBook, describeViolations, eventKey, type Snapshot } from './model.ts'
import type { World } from './worlds.ts'

export interface ChaosOptions {
  readonly world: World
  readonly seed: number
  /** How many scenarios run at the same time. */
  readonly inFlight: number
  /** Whether another scenario may begin. */
  readonly goesOn: (operations: number) => boolean
  /** By default all of them. */
  readonly scenarios?: readonly Scenario[]
  readonly lie?: Lie
}

export interface ChaosReport {
  readonly seed: number
  readonly lives: number
  readonly checks: number
  readonly counts: Book['counts']
  readonly disruptions: Readonly<Record<string, number>>
  readonly violations: number
  /** The violations of each life with the history of its objects, and those of the table. */
  readonly details: readonly string[]
}

/** Lists have several pages even after a short storm, so that each run follows their links. */
const pageSize = 50

/** Runs clients in a storm, and compares what was acknowledged with what is stored. */
export const runChaos = async (options: ChaosOptions): Promise<ChaosReport> => {
  const { world, seed, inFlight, goesOn, scenarios = chaosScenarios, lie } = options
  const book = createBook()
  const driver = await createDriver({ world, book, seed, lie })
  const work = async (worker: number): Promise<void> => {
    const random = createRandom(seed * 1000 + worker)
    for (let at = worker; goesOn(book.countOperations()); at++) {
      // Each scenario has its turn, so that short runs have all of them.
      const scenario = scenarios[at % scenarios.length]
      if (!scenario) throw new Error('there are no scenarios')
      const scene = await driver.openScene(scenario.name, random, Math.floor(at / scenarios.length))
      await scenario(scene).catch((error: unknown) => {
        if (!(error instanceof Interrupted)) throw error
        scene.life.history.push(`interrupted: ${error.message}`)
      })
    }
  }
  await world.setStorm(true)
  await Promise.all(Array.from({ length: inFlight }, (_, worker) => work(worker)))
  await world.setStorm(false)

  const snapshot = await takeSnapshot(world, driver.admin(), lie)
  let checks = 0
  const left = [...book.lives]
  const check = async (): Promise<void> => {
    for (let life = left.pop(); life; life = left.pop())
      for (const isWrong of life.checks) {
        checks++
        const problem = await isWrong(snapshot)
        if (problem !== undefined) book.violate(life, problem)
      }
  }
  await Promise.all(Array.from({ length: 8 }, check))
  const halfMade = findHalfMade(snapshot.items).map((line) => `the table: ${line}`)
  return {
    seed,
    lives: book.lives.length,
    checks,
    counts: book.counts,
    disruptions: world.counts,
    violations: book.violations.length + halfMade.length,
    details: [...describeViolations(book.violations), ...halfMade],
  }
}

/** Reads everything back without disturbances. */
const takeSnapshot = async (world: World, bearer: string, lie: Lie | undefined): Promise<Snapshot> => {
  const direct = clientFrom(loopback(4_000_000), world.url)
  const read: Client = (method, path, options) => {
    const call = () => direct(method, path, options)
    return lie ? lie(method, path, call) : call()
  }
  const readAll = async (path: string): Promise<readonly JsonValue[]> => {
    const all: JsonValue[] = []
    for (let next: string | undefined = `${path}?limit=${pageSize}`; next !== undefined; ) {
      const { status, headers, body, text } = await read('GET', next, { bearer })
      if (status !== 200) throw new Error(`GET ${next}: ${status} ${text}`)
      all.push(...body)
      next = findNextPath(headers)
    }
    return all
  }
  const events = new Map<string, number>()
  for (const { request_id, event } of await readAll('/api/2/auth/audit-events')) {
    const key = eventKey(request_id, event)
    events.set(key, (events.get(key) ?? 0) + 1)
  }
  const indexBy = (name: string, all: readonly JsonValue[]) =>
    new Map(all.map((one) => [String(one[name]), one]))
  return {
    users: indexBy('username', await readAll('/api/2/users')),
    groups: indexBy('name', await readAll('/api/2/groups')),
    events,
    items: await world.readTable(),
    read,
  }
}
