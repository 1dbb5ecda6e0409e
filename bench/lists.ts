import { parseArgs } from 'node:util'
import { medianOf } from '../test/support/cpu-time.ts'
import { textTable } from '../test/support/text-table.ts'
import { startLatchkeyWorld } from './load/latchkey-world.ts'
import { inFlight, startLoadProcess } from './load/measure.ts'
import { readTreeCpuMs } from './load/process-tree.ts'
import { floorTitles, type Target } from './load/scenarios.ts'
import { startFloors } from './load/start-floors.ts'
import { startBundles, startHandlers } from './load/start-latchkey.ts'

/*
 * `npm run bench -- --lists` measures the page of 20 users alone: CPU time of a request by process, beside floors, by turns.
 * `--rows 10,1000` chooses the numbers of users. `--base FOLDER` also measures bundles of another version in this folder.
 */

const { values: options } = parseArgs({
  options: {
    lists: { type: 'boolean' },
    rows: { type: 'string', default: '10,1000,100000,1000000' },
    passes: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    base: { type: 'string' },
  },
})
const passes = Number(options.passes)
const seconds = Number(options.seconds)

const world = await startLatchkeyWorld()
const load = startLoadProcess()
const targets: Target[] = []

/** Processes of the target itself, without the engine, which all targets share. */
const readTimes = ({ roots }: Target) => ({
  own: readTreeCpuMs(roots.filter((pid) => !world.enginePids.includes(pid))),
  engine: readTreeCpuMs(world.enginePids),
})

interface Times {
  readonly perSecond: number
  readonly own: number
  readonly engine: number
}

const measure = async (target: Target, job: NonNullable<Target['jobs']['page']>): Promise<Times> => {
  const { url, expectedStatus } = job
  const plan = await job.plan(0)
  await load.send({ url, expectedStatus, plan, inFlight, seconds: seconds / 5 })
  const before = readTimes(target)
  const result = await load.send({ url, expectedStatus, plan, inFlight, seconds })
  const after = readTimes(target)
  if (result.failed > 0) throw new Error(`${target.name}: ${result.firstFailure}`)
  return {
    perSecond: result.completed / result.seconds,
    own: (after.own - before.own) / result.completed,
    engine: (after.engine - before.engine) / result.completed,
  }
}

try {
  targets.push(await startBundles(world))
  if (options.base) targets.push(await startHandlers('bundles of the base', options.base, 'index.mjs', world))
  targets.push(await startFloors(world))
  const jobs = targets.flatMap((target) =>
    (['page', 'sdk-query', 'sdk-page'] as const).flatMap((name) => {
      const job = target.jobs[name]
      return job ? [{ target, job, title: name === 'page' ? target.name : floorTitles[name] }] : []
    }),
  )
  const lines: (string | number)[][] = []
  for (const rows of options.rows.split(',').map(Number)) {
    const start = performance.now()
    await world.seed(rows)
    process.stderr.write(`${rows} users after ${Math.round((performance.now() - start) / 1000)} s\n`)
    const measured = jobs.map((): Times[] => [])
    for (let pass = 0; pass < passes; pass++)
      for (const [at, { target, job }] of jobs.entries()) measured[at]?.push(await measure(target, job))
    for (const [at, { title }] of jobs.entries()) {
      const median = (name: keyof Times) => medianOf((measured[at] ?? []).map((times) => times[name]))
      lines.push([
        rows.toLocaleString('en-US'),
        title,
        median('perSecond').toFixed(0),
        median('own').toFixed(2),
        median('engine').toFixed(2),
        (median('own') + median('engine')).toFixed(2),
      ])
    }
  }
  process.stdout.write(
    `Page of 20 users, CPU ms of a request (median of ${passes} passes of ${seconds} s).\n\n`,
  )
  process.stdout.write(textTable(['users', 'service', 'requests/s', 'own', 'engine', 'sum'], lines))
} finally {
  load.close()
  for (const { close } of targets) await close()
  await world.close()
}
process.exit()
