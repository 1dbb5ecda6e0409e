import { medianOf } from '../../test/support/cpu-time.ts'
import { type Figures, type LoadProcess, measureJob } from '../load/measure.ts'
import { jsonRequest } from '../load/plan.ts'
import { type Job, repeatJob, type Target } from '../load/scenarios.ts'

export interface CpuRow {
  readonly name: string
  /** CPU time of the handler behind a bare HTTP server, of a request in milliseconds. */
  readonly aloneMs: number
  readonly localMs: number
  readonly ratio: number
  readonly failed: number
}

type Pick = (target: Target) => Job | undefined

/** A page, compressed as for browsers. */
const getPage =
  (path: string): Pick =>
  ({ jobs }) =>
    jobs['who-am-i'] &&
    repeatJob(jobs['who-am-i'].url, [jsonRequest('GET', path, { headers: { 'accept-encoding': 'gzip' } })])

const requests: Readonly<Record<string, Pick>> = {
  'who am I': ({ jobs }) => jobs['who-am-i'],
  'API token': ({ jobs }) => jobs['api-token'],
  'ticket: create and check': ({ jobs }) => jobs.ticket,
  'page of 20 users': ({ jobs }) => jobs.page,
  'sign-in page': getPage('/'),
  'page without data: /docs': getPage('/docs'),
}

/** Returns the CPU time of all processes for a request of a job. */
const measure = async (load: LoadProcess, target: Target, pick: Pick, seconds: number): Promise<Figures> => {
  const job = pick(target)
  if (!job) throw new Error(`${target.name} lacks a scenario.`)
  return measureJob(load, job, target.roots, seconds)
}

/** Compares local mode with the handlers alone, by turns. Figures and ratios are medians of the rounds. */
export const measureCpu = async (
  load: LoadProcess,
  { alone, local }: { readonly alone: Target; readonly local: Target },
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<CpuRow[]> => {
  const rows: CpuRow[] = []
  for (const [name, pick] of Object.entries(requests)) {
    const pairs: { readonly alone: Figures; readonly local: Figures }[] = []
    // The first round only warms up, because V8 optimizes code for some seconds.
    for (let round = 0; round <= rounds; round++) {
      const pair = {
        alone: await measure(load, alone, pick, seconds),
        local: await measure(load, local, pick, seconds),
      }
      if (round > 0) pairs.push(pair)
    }
    rows.push({
      name,
      aloneMs: medianOf(pairs.map((pair) => pair.alone.cpuMs)),
      localMs: medianOf(pairs.map((pair) => pair.local.cpuMs)),
      ratio: medianOf(pairs.map((pair) => pair.local.cpuMs / pair.alone.cpuMs)),
      failed: pairs.reduce((sum, pair) => sum + pair.alone.failed + pair.local.failed, 0),
    })
  }
  return rows
}
