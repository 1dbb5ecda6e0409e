import type { Row } from './markdown-report.ts'
import { combinePasses, type Figures, type LoadProcess, measureJob } from '../load/measure.ts'
import type { Options } from './options.ts'
import { type FloorName, floorTitles, type ScenarioName, scenarioTitles, type Target } from '../load/scenarios.ts'

/** Scenarios other than lists run with about this many users. */
const usualRows = 1000

/** What is measured in turns: a scenario of all services, and the floors that it is compared with. */
const groups: readonly { readonly scenario: ScenarioName; readonly floors: readonly FloorName[] }[] = [
  { scenario: 'sign-in', floors: ['bcrypt', 'bcrypt-threads'] },
  { scenario: 'who-am-i', floors: ['gateway', 'sdk-call'] },
  { scenario: 'api-token', floors: [] },
  { scenario: 'ticket', floors: [] },
  { scenario: 'saml', floors: ['node-saml'] },
]

export interface Measured extends Row {
  /** The name of the scenario or floor, with the number of rows of a list. */
  readonly key: string
}

const print = (text: string) => process.stderr.write(`${text}\n`)

/** Measures jobs in turns, so that all of them have the same conditions. */
const measureInTurns = async (
  load: LoadProcess,
  jobs: readonly { readonly target: Target; readonly name: ScenarioName | FloorName }[],
  { passes, seconds }: Options,
): Promise<readonly Figures[]> => {
  const figures = jobs.map((): Figures[] => [])
  for (let pass = 0; pass < passes; pass++)
    for (const [at, { target, name }] of jobs.entries()) {
      const job = target.jobs[name]
      if (!job) continue
      print(`pass ${pass + 1} of ${passes}: ${name}, ${target.name}`)
      figures[at]?.push(await measureJob(load, job, target.roots, seconds))
    }
  return figures.map(combinePasses)
}

/** Measures a scenario of all targets that have it, and its floors. */
const measureScenario = async (
  load: LoadProcess,
  targets: readonly Target[],
  options: Options,
  scenario: ScenarioName,
  floors: readonly FloorName[] = [],
): Promise<Measured[]> => {
  const jobs = [scenario, ...floors].flatMap((name) =>
    targets.filter(({ jobs }) => jobs[name]).map((target) => ({ target, name })),
  )
  const figures = await measureInTurns(load, jobs, options)
  return figures.flatMap((of, at) => {
    const job = jobs[at]
    if (!job) return []
    const { target, name } = job
    const title = name in floorTitles ? floorTitles[name as FloorName] : target.name
    return [{ key: name, scenario: scenarioTitles[scenario], target: title, figures: of }]
  })
}

/** Measures all scenarios of all targets, with growing numbers of users. */
export const measureAll = async (
  load: LoadProcess,
  targets: readonly Target[],
  options: Options,
): Promise<Measured[]> => {
  const [mostRows = 0] = options.rows.slice(-1)
  const rowsOfOthers = options.rows.find((rows) => rows >= usualRows) ?? mostRows
  const others: Measured[] = []
  const pages: Measured[] = []
  for (const rows of options.rows) {
    print(`adding users until there are ${rows}`)
    // Latchkey's forms share a table, so the second one finds the users of the first.
    for (const { seed } of targets) await seed?.(rows)
    const title = `${scenarioTitles.page}, of ${rows.toLocaleString('en-US')}`
    for (const measured of await measureScenario(load, targets, options, 'page'))
      pages.push({ ...measured, key: `page ${rows}`, scenario: title })
    if (rows !== rowsOfOthers) continue
    for (const { scenario, floors } of groups)
      others.push(...(await measureScenario(load, targets, options, scenario, floors)))
  }
  return [...others, ...pages]
}
