import { medianOf } from '../test/support/cpu-time.ts'
import { textTable } from '../test/support/text-table.ts'
import { startLatchkeyWorld } from './load/latchkey-world.ts'
import { inFlight, startLoadProcess } from './load/measure.ts'
import { readTreeCpuMs } from './load/process-tree.ts'
import type { Job } from './load/scenarios.ts'
import { startFloors } from './load/start-floors.ts'
import { startBundles } from './load/start-latchkey.ts'

/*
 * Compares a SAML response that ends with a session with the verification of one by node-saml alone, in turns. The
 * argument is the number of turns. It shows which process takes the CPU time.
 */

const passes = Number(process.argv[2])
const warmUpResponses = 300
const measuredResponses = 150
/** Longer than any run. Each run ends with its last response. */
const seconds = 600

interface Side {
  readonly job: Job
  /** The processes by name. */
  readonly processes: Readonly<Record<string, readonly number[]>>
}

const world = await startLatchkeyWorld()
const load = startLoadProcess()
const send = async ({ url, expectedStatus, plan }: Job, count: number): Promise<void> => {
  const { failed, firstFailure } = await load.send({
    url,
    expectedStatus,
    seconds,
    inFlight,
    plan: await plan(count),
  })
  if (failed > 0) throw new Error(`a response to ${url} failed: ${firstFailure}`)
}

/** Returns the CPU time of each process per response. */
const measure = async ({ job, processes }: Side): Promise<readonly (readonly [string, number])[]> => {
  const { url, expectedStatus } = job
  const plan = await job.plan(measuredResponses)
  const before = Object.values(processes).map(readTreeCpuMs)
  await load.send({ url, expectedStatus, plan, seconds, inFlight })
  return Object.entries(processes).map(([name, pids], at) => [
    name,
    (readTreeCpuMs(pids) - (before[at] ?? 0)) / measuredResponses,
  ])
}

try {
  const bundles = await startBundles(world)
  const floors = await startFloors(world)
  const [service = 0] = bundles.roots
  const [floor = 0] = floors.roots
  const { saml } = bundles.jobs
  const { 'node-saml': nodeSaml } = floors.jobs
  if (!saml || !nodeSaml) throw new Error('a scenario is missing')
  const sides: readonly Side[] = [
    { job: nodeSaml, processes: { 'node-saml alone': [floor] } },
    { job: saml, processes: { Latchkey: [service], 'its table': world.enginePids } },
  ]
  for (const { job } of sides) await send(job, warmUpResponses)
  const times = new Map<string, number[]>()
  for (let pass = 0; pass < passes; pass++)
    for (const side of sides)
      for (const [name, ms] of await measure(side)) times.set(name, [...(times.get(name) ?? []), ms])
  const medians = new Map([...times].map(([name, all]) => [name, medianOf(all)]))
  const alone = medians.get('node-saml alone') ?? Number.NaN
  const rows = [
    ...medians,
    ['Latchkey with its table', [...medians.values()].slice(1).reduce((a, b) => a + b, 0)] as const,
  ]
  process.stdout.write(
    `SAML response to session: CPU time per response (median of ${passes} times ${measuredResponses}).\n\n`,
  )
  process.stdout.write(
    textTable(
      ['process', 'ms', 'ratio'],
      rows.map(([name, ms]) => [name, ms.toFixed(2), (ms / alone).toFixed(2)]),
    ),
  )
  await bundles.close()
  await floors.close()
} finally {
  load.close()
  await world.close()
}
process.exit()
