import { readFileSync } from 'node:fs'
import { descendantsOf } from '../../test/support/processes.ts'
import { inFlight, type LoadProcess } from '../load/measure.ts'
import { jsonRequest, type PlannedRequest } from '../load/plan.ts'
import type { Target } from '../load/scenarios.ts'

/** The memory of the processes after a number of requests. */
export interface MemorySample {
  readonly requests: number
  readonly serviceMb: number
  readonly engineMb: number
}

export interface MemoryReport {
  readonly samples: readonly MemorySample[]
  /** Growth of the service in the second half, in KB for 1,000 requests. */
  readonly slopeKb: number
  /** Whether the service grew by less than a tenth in the second half. */
  readonly isFlat: boolean
  readonly failed: number
}

/** Requests that are sent at once, because the load process gets each of them as a message. */
const batch = 5_000
const flatGrowth = 0.1
const longest = 3600

/** Reads the resident memory of a process (proc_pid_status(5)). */
const readMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Reads with sessions and API tokens, a list, and a page. */
const listRequests = async ({ jobs }: Target): Promise<readonly PlannedRequest[]> => {
  const plans = await Promise.all([jobs['who-am-i'], jobs['api-token'], jobs.page].map((job) => job?.plan(0)))
  const sent = plans.flatMap((plan) => (plan?.kind === 'repeat' ? plan.requests.slice(0, 4) : []))
  return [...sent, jsonRequest('GET', '/')]
}

/** Sends many requests and reads the memory of the processes in between. */
export const measureMemory = async (
  load: LoadProcess,
  target: Target,
  requests: number,
): Promise<MemoryReport> => {
  const url = target.jobs['who-am-i']?.url ?? ''
  const [service = 0, ...engines] = target.roots
  const enginePids = [...engines, ...descendantsOf(service).map(({ pid }) => pid)]
  const planned = await listRequests(target)
  const samples: MemorySample[] = []
  let sent = 0
  let failed = 0
  const send = async (count: number) => {
    for (const until = sent + count; sent < until; ) {
      const size = Math.min(batch, until - sent)
      const list = Array.from({ length: size }, (_, at) => planned[at % planned.length]).flatMap(
        (one) => one ?? [],
      )
      const plan = { kind: 'once', requests: list } as const
      failed += (await load.send({ url, plan, seconds: longest, inFlight, expectedStatus: 200 })).failed
      sent += size
    }
    const engineMb = enginePids.reduce((sum, pid) => sum + readMb(pid), 0)
    samples.push({ requests: sent, serviceMb: readMb(service), engineMb })
  }
  const step = Math.max(1000, Math.round(requests / 10))
  await send(Math.min(1000, requests))
  while (sent < requests) await send(Math.min(sent === 1000 ? step - 1000 : step, requests - sent) || step)
  const half = samples.find((sample) => sample.requests >= requests / 2)
  const last = samples.at(-1)
  const growth = (last?.serviceMb ?? 0) - (half?.serviceMb ?? 0)
  return {
    samples,
    slopeKb: (growth * 1024 * 1000) / Math.max(1, sent - (half?.requests ?? 0)),
    isFlat: growth < flatGrowth * (half?.serviceMb ?? 0),
    failed,
  }
}
