import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { medianOf } from '../../test/support/cpu-time.ts'
import type { Load, LoadResult, Plan } from './plan.ts'
import { readTreeCpuMs } from './process-tree.ts'
import type { Job } from './scenarios.ts'

/** The figures of a job: medians of all passes. */
export interface Figures {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpuMs: number
  readonly failed: number
}

export interface LoadProcess {
  readonly send: (load: Load) => Promise<LoadResult>
  readonly close: () => void
}

/** Requests in flight in every measurement. */
export const inFlight = 16
/** Share of a run that comes before the measurement. */
const warmUpShare = 0.2
/** More than any service answers in a second. Preparing each takes a signature of the identity provider. */
const preparedPerSecond = 150

/** Starts the process that sends load. Its own CPU time is not counted. */
export const startLoadProcess = (): LoadProcess => {
  const child: ChildProcess = fork('bench/load/load-generator.ts')
  return {
    send: async (load) => {
      const reply = once(child, 'message')
      child.send(load)
      const [result] = await reply
      return result
    },
    close: () => child.kill(),
  }
}

/** Splits requests that can be sent only once, because the warm-up uses some of them. */
const split = (plan: Plan): readonly [warmUp: Plan, measured: Plan] => {
  if (plan.kind !== 'once') return [plan, plan]
  const at = Math.ceil(plan.requests.length * warmUpShare)
  return [
    { ...plan, requests: plan.requests.slice(0, at) },
    { ...plan, requests: plan.requests.slice(at) },
  ]
}

/** Sends load for some seconds after a warm-up. @throws Error if every request failed. */
export const measureJob = async (
  load: LoadProcess,
  { url, expectedStatus, plan: createPlan }: Job,
  roots: readonly number[],
  seconds: number,
): Promise<Figures> => {
  const [warmUp, plan] = split(await createPlan(Math.ceil(preparedPerSecond * seconds * (1 + warmUpShare))))
  const shared = { url, inFlight, expectedStatus }
  await load.send({ ...shared, plan: warmUp, seconds: seconds * warmUpShare })
  const before = readTreeCpuMs(roots)
  const result = await load.send({ ...shared, plan, seconds })
  const cpuMs = readTreeCpuMs(roots) - before
  if (result.failed === result.completed)
    throw new Error(`every request to ${url} failed: ${result.firstFailure}`)
  return {
    perSecond: result.completed / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuMs: cpuMs / result.completed,
    failed: result.failed,
  }
}

/** Combines the figures of several passes. Failures are added. */
export const combinePasses = (passes: readonly Figures[]): Figures => {
  const median = (name: keyof Figures) => medianOf(passes.map((figures) => figures[name]))
  return {
    perSecond: median('perSecond'),
    p50Ms: median('p50Ms'),
    p99Ms: median('p99Ms'),
    cpuMs: median('cpuMs'),
    failed: passes.reduce((sum, { failed }) => sum + failed, 0),
  }
}
