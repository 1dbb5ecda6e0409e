import { once } from 'node:events'
import { textTable } from '../../test/support/text-table.ts'
import { inFlight, startLoadProcess } from '../load/measure.ts'
import type { Options } from './options.ts'
import { type ScenarioName, scenarioTitles } from '../load/scenarios.ts'
import type { FunctionShare } from '../load/summarize-profile.ts'
import { startLatchkeyWorld } from '../load/latchkey-world.ts'
import { startSources } from '../load/start-latchkey.ts'

const preparedPerSecond = 150

/** Prints the functions of Latchkey's process that take most CPU time in each scenario. */
export const profileLatchkey = async ({ seconds, rows }: Options): Promise<void> => {
  const world = await startLatchkeyWorld()
  const load = startLoadProcess()
  try {
    const target = await startSources(world)
    const { process: child } = target.server
    await world.seed(rows[0] ?? 0)
    for (const [name, title] of Object.entries(scenarioTitles)) {
      const { url, expectedStatus, plan: createPlan } = target.jobs[name as ScenarioName] ?? {}
      if (!url || !expectedStatus || !createPlan) continue
      const send = (plan: Awaited<ReturnType<typeof createPlan>>, duration: number) =>
        load.send({ url, expectedStatus, plan, inFlight, seconds: duration })
      await send(await createPlan(preparedPerSecond), 1)
      const plan = await createPlan(preparedPerSecond * seconds)
      const started = once(child, 'message')
      child.send('start')
      await started
      const { completed } = await send(plan, seconds)
      const stopped = once(child, 'message')
      child.send('stop')
      const [summary] = (await stopped) as [FunctionShare[]]
      process.stdout.write(`\n${title}: ${completed} requests\n\n`)
      process.stdout.write(
        textTable(
          ['function', 'from', 'share of CPU'],
          summary.map((one) => [one.name, one.file, `${(100 * one.share).toFixed(1)} %`]),
        ),
      )
    }
    await target.close()
  } finally {
    load.close()
    await world.close()
  }
}
