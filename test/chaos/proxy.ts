import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../bench/soak/random.ts'
import { actionOf } from '../infra/dynamodb-proxy.ts'
import { type StubAnswer, type StubRequest, startStub } from '../infra/stub-server.ts'
import { cancellation, serviceError } from '../runner/strict-table/refusals.ts'

/** What can happen to a table call. Those with `writesOnly` happen only to writes. */
export const disruptionKinds = {
  /** The connection breaks before the table sees the call. */
  droppedBefore: {},
  /** The connection breaks after the work. */
  droppedAfter: {},
  /** The body of the answer ends in its middle. */
  cut: {},
  errorBefore: {},
  errorAfter: {},
  throttled: {},
  /** A page of a proxy arrives instead of an answer. */
  page: {},
  /** The answer comes after the caller gave up. */
  slow: {},
  conflict: { writesOnly: true },
  /** The connection breaks, and the table sees the call later. */
  late: { writesOnly: true },
  /** The table sees the call twice. */
  doubled: { writesOnly: true },
  /** No call arrives for a while. */
  partition: {},
} as const satisfies Readonly<Record<string, { readonly writesOnly?: true }>>

export type DisruptionKind = keyof typeof disruptionKinds

/** What the attempts of one call get: `TableClient` makes up to 4, and a transaction up to 24. */
const attempts = { reads: 4, writes: 30 } as const

interface Disruption {
  readonly kind: DisruptionKind
  /** A number from 0 up to, but not including, 1, for the details of the disruption. */
  readonly detail: number
}

/** Decides by the seed which calls get a disruption, in rounds of all kinds in random order. */
const createPlan = (seed: number) => {
  const random = createRandom(seed)
  let round: DisruptionKind[] = []
  let isNextFor = Math.floor(random() * 10)
  return (isWrite: boolean): Disruption | undefined => {
    if (isNextFor-- > 0) return undefined
    if (round.length === 0)
      round = (Object.keys(disruptionKinds) as DisruptionKind[])
        .map((kind) => ({ kind, at: random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ kind }) => kind)
    const at = round.findIndex((kind) => isWrite || !('writesOnly' in disruptionKinds[kind]))
    const [kind] = at < 0 ? [] : round.splice(at, 1)
    if (!kind) return undefined
    isNextFor = 3 + Math.floor(random() * 30)
    return { kind, detail: random() }
  }
}

const ownHeaders = ['host', 'connection', 'content-length']

/** Starts a DynamoDB endpoint between the handlers and an engine that disturbs calls while it is active. */
export const startDisturbingProxy = async (engine: string, seed: number) => {
  const chooseDisruption = createPlan(seed)
  const counts = Object.fromEntries(Object.keys(disruptionKinds).map((kind) => [kind, 0])) as Record<
    DisruptionKind,
    number
  >
  /** Calls whose further attempts get the same disruption. */
  const stubborn = new Map<string, { readonly disruption: Disruption; left: number }>()
  const late = new Set<Promise<unknown>>()
  let partitionLeft = 0
  let isActive = false

  const forward = async ({ headers, body }: StubRequest): Promise<StubAnswer> => {
    const passedOn = Object.entries(headers).filter(([name]) => !ownHeaders.includes(name))
    const response = await fetch(engine, {
      method: 'POST',
      headers: Object.fromEntries(passedOn) as Record<string, string>,
      body,
    })
    return { status: response.status, body: await response.text() }
  }

  const findDisruption = (call: string, isWrite: boolean): Disruption | undefined => {
    if (partitionLeft > 0) {
      partitionLeft--
      return { kind: 'droppedBefore', detail: 0 }
    }
    const repeated = stubborn.get(call)
    if (repeated) {
      if (--repeated.left <= 0) stubborn.delete(call)
      return repeated.disruption
    }
    const disruption = chooseDisruption(isWrite)
    if (disruption) counts[disruption.kind]++
    // A quarter of the disruptions outlasts all attempts.
    if (disruption && disruption.detail < 0.25 && !['late', 'slow', 'partition'].includes(disruption.kind))
      stubborn.set(call, { disruption, left: (isWrite ? attempts.writes : attempts.reads) - 1 })
    return disruption
  }

  const disturb = async (request: StubRequest, { kind, detail }: Disruption): Promise<StubAnswer> => {
    const action = actionOf(request)
    switch (kind) {
      case 'droppedBefore':
        throw new Error('the connection breaks')
      case 'droppedAfter':
        await forward(request)
        throw new Error('the connection breaks')
      case 'cut':
        return { ...(await forward(request)), isCutOff: true }
      case 'errorBefore':
        return { status: 500, body: '{"__type":"InternalServerError"}' }
      case 'errorAfter':
        await forward(request)
        return { status: 500, body: '{"__type":"InternalServerError"}' }
      case 'throttled':
        return refuse(action, request, detail < 0.5 ? 'ProvisionedThroughputExceeded' : 'ThrottlingError')
      case 'conflict':
        return refuse(action, request, 'TransactionConflict')
      case 'page':
        return { status: 502, body: '<html>Bad gateway</html>' }
      case 'slow': {
        const answer = await forward(request)
        await sleep(3500)
        return answer
      }
      case 'late': {
        const delivery = sleep(100 + detail * 4000).then(() => forward(request).catch(() => undefined))
        late.add(delivery)
        delivery.then(() => late.delete(delivery))
        throw new Error('the connection breaks')
      }
      case 'doubled': {
        const answer = await forward(request)
        await forward(request)
        return answer
      }
      case 'partition':
        partitionLeft = 10 + Math.floor(detail * 40)
        throw new Error('the connection breaks')
    }
  }

  const server = await startStub(async (request) => {
    const action = actionOf(request)
    const disruption = isActive
      ? findDisruption(action + request.body, /^(Put|Update|Transact)/.test(action))
      : undefined
    return disruption ? disturb(request, disruption) : forward(request)
  })
  return {
    url: server.url,
    counts,
    setActive: (active: boolean): void => {
      isActive = active
      if (active) return
      stubborn.clear()
      partitionLeft = 0
    },
    /** Waits until the table has seen all late calls. */
    settle: async (): Promise<void> => {
      await Promise.all(late)
    },
    close: server.close,
  }
}

/** Refuses a call as DynamoDB does: a transaction with a reason for each step, others with an error. */
const refuse = (action: string, { body }: StubRequest, code: string): StubAnswer => {
  const message = 'The call is refused for now.'
  if (action !== 'TransactWriteItems')
    return serviceError(code === 'ThrottlingError' ? 'ThrottlingException' : `${code}Exception`, message)
  const { TransactItems } = JSON.parse(body)
  const codes = TransactItems.map((_: unknown, at: number) => (at === 0 ? code : 'None'))
  return cancellation(codes, { [code]: message })
}
