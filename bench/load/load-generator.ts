import { Agent, request } from 'node:http'
import { type Load, type LoadResult, type Plan, type PlannedRequest, valuePlaceholder } from './plan.ts'

/*
 * The process that sends load, so that its CPU time is not counted. It gets a `Load` as a message and replies with a
 * `LoadResult`.
 */

interface Reply {
  readonly status: number
  readonly text: string
}

const createSender = ({ url, inFlight }: Load) => {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight })
  const send = ({ method, path, headers, body }: PlannedRequest): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const options = { hostname, port, agent, method, path, headers: { ...headers, ...length } }
      const sent = request(options, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.once('error', reject)
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
        )
      })
      sent.once('error', reject)
      sent.end(body)
    })
  return { send, close: () => agent.destroy() }
}

/** Returns the next requests of a plan, or undefined at its end. */
const createSource = (plan: Plan): (() => PlannedRequest | undefined) => {
  if (plan.kind === 'exchange') return () => plan.first
  let next = 0
  const { kind, requests } = plan
  return () => requests[kind === 'once' ? next++ : next++ % requests.length]
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

const run = async (load: Load): Promise<LoadResult> => {
  const { plan, expectedStatus } = load
  const { send, close } = createSender(load)
  const takeRequest = createSource(plan)
  const times: number[] = []
  let failed = 0
  let firstFailure: string | undefined
  const fail = (reason: string) => {
    failed++
    firstFailure ??= reason.slice(0, 300)
  }
  const check = ({ status, text }: Reply): boolean => {
    if (status === expectedStatus) return true
    fail(`${status} ${text}`)
    return false
  }

  const exchange = async (first: PlannedRequest): Promise<void> => {
    const reply = await send(first)
    if (!check(reply) || plan.kind !== 'exchange') return
    const { second, field } = plan
    const value = String(JSON.parse(reply.text)[field])
    const body = second.body?.replace(valuePlaceholder, value)
    check(await send({ ...second, ...(body !== undefined && { body }) }))
  }

  const startedAt = performance.now()
  const endsAt = startedAt + load.seconds * 1000
  const keepSending = async () => {
    for (let at = performance.now(); at < endsAt; at = performance.now()) {
      const next = takeRequest()
      if (!next) return
      await exchange(next).catch((error: unknown) => fail(String(error)))
      times.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: load.inFlight }, keepSending))
  const seconds = (performance.now() - startedAt) / 1000
  close()
  times.sort((left, right) => left - right)
  return {
    seconds,
    completed: times.length,
    failed,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    firstFailure,
  }
}

process.on('message', async (load: Load) => process.send?.(await run(load)))
