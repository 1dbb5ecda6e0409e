import { setTimeout as sleep } from 'node:timers/promises'
import type { TableCall, TableHooks } from '../../test/infra/dynamodb-proxy.ts'
import type { StubAnswer } from '../../test/infra/stub-server.ts'
import { cancellation, serviceError } from '../../test/runner/strict-table/refusals.ts'

/** How often each kind of disruption happens, as a share of all table calls. */
export const disruptionRates = {
  throttled: 0.01,
  serverError: 0.01,
  slow: 0.02,
  droppedBefore: 0.01,
  droppedAfter: 0.01,
  cutOff: 0.01,
  conflict: 0.01,
  /** No response within the time limit of a call. */
  stalled: 0.0002,
  /** All attempts of a call fail: see `outageOf`. */
  outage: 0.002,
} as const

export type DisruptionKind = keyof typeof disruptionRates

/** The attempts of `TableClient` for one call. */
const attempts = 4
const stallMs = 3500
/** Disruptions that `TableClient` does not repeat more than `attempts` times. */
const exhausting: readonly DisruptionKind[] = [
  'serverError',
  'droppedBefore',
  'droppedAfter',
  'cutOff',
  'stalled',
  'throttled',
]

/** Chooses disruptions for the calls of a table. */
export const createDisruptions = (random: () => number) => {
  const counts = Object.fromEntries(Object.keys(disruptionRates).map((kind) => [kind, 0])) as Record<
    DisruptionKind,
    number
  >
  const streaks = new Map<string, number>()
  const outages = new Map<string, { readonly kind: DisruptionKind; left: number }>()
  const afterWork = new Map<TableCall, 'droppedAfter' | 'cutOff'>()
  let isActive = false
  let exhausted = 0
  let calls = 0

  const chooseKind = (name: string, isWrite: boolean): DisruptionKind | undefined => {
    const outage = outages.get(name)
    if (outage) {
      if (--outage.left === 0) outages.delete(name)
      return outage.kind
    }
    let point = random()
    for (const [kind, rate] of Object.entries(disruptionRates) as [DisruptionKind, number][]) {
      point -= rate
      if (point >= 0) continue
      if (kind === 'conflict' && !isWrite) return undefined
      if (kind !== 'outage') return kind
      counts.outage++
      const of = outageOf(random())
      outages.set(name, { kind: of, left: attempts - 1 })
      return of
    }
    return undefined
  }

  /** Counts calls whose attempts may all have failed. Equal reads of several requests share a count, so it is a maximum. */
  const noteAttempt = (name: string, kind: DisruptionKind | undefined): void => {
    const streak = kind && exhausting.includes(kind) ? (streaks.get(name) ?? 0) + 1 : 0
    if (streak === attempts) exhausted++
    if (streak === 0 || streak === attempts) streaks.delete(name)
    else streaks.set(name, streak)
  }

  const refuse = async (call: TableCall) => {
    calls++
    if (!isActive) return undefined
    const name = call.action + JSON.stringify(call.input)
    const kind = chooseKind(name, /^(Put|Update|Transact)/.test(call.action))
    noteAttempt(name, kind)
    if (!kind) return undefined
    counts[kind]++
    if (kind === 'droppedAfter' || kind === 'cutOff') afterWork.set(call, kind)
    if (kind === 'slow') await sleep(20 + random() * 300)
    if (kind === 'stalled') await sleep(stallMs)
    return answerOf(kind, call)
  }

  const alterAnswer = (call: TableCall, answer: StubAnswer): StubAnswer => {
    const kind = afterWork.get(call)
    afterWork.delete(call)
    if (kind === 'droppedAfter') throw new Error('the connection is dropped')
    return kind === 'cutOff' ? { ...answer, isCutOff: true } : answer
  }

  return {
    hooks: { refuse, alterAnswer } satisfies TableHooks,
    counts,
    calls: () => calls,
    /** How many calls may have failed in all attempts so far. */
    exhausted: () => exhausted,
    setActive: (active: boolean) => {
      isActive = active
      if (!active) outages.clear()
    },
  }
}

/** In half of the outages the work is done although no answer arrives. */
const outageOf = (point: number): DisruptionKind =>
  point < 0.25 ? 'droppedBefore' : point < 0.5 ? 'serverError' : 'droppedAfter'

const answerOf = (kind: DisruptionKind, { action, input }: TableCall): StubAnswer | undefined => {
  if (kind === 'throttled') return serviceError('ThrottlingException', 'Rate of requests exceeds the limit')
  if (kind === 'serverError') return { status: 500, body: '{"__type":"InternalServerError"}' }
  if (kind === 'droppedBefore') throw new Error('the connection is dropped')
  if (kind !== 'conflict') return undefined
  const message = 'Transaction is ongoing for the item'
  if (action !== 'TransactWriteItems') return serviceError('TransactionConflictException', message)
  const codes = input.TransactItems.map((_: unknown, at: number) =>
    at === 0 ? 'TransactionConflict' : 'None',
  )
  return cancellation(codes, { TransactionConflict: message })
}
