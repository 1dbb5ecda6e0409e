import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { startWorkers, type Workers, type WorkersOptions } from '../../../infra/local/workers.ts'

let workers: Workers
let failures: string[]
afterEach(() => workers.close())

const start = async (options: Partial<WorkersOptions> = {}): Promise<void> => {
  const ownFailures: string[] = []
  failures = ownFailures
  workers = startWorkers({
    env: { SETTING: 'as set' },
    functionsUrl: new URL('../../support/fixtures/functions/', import.meta.url),
    onFailure: (reason) => ownFailures.push(reason),
    ...options,
  })
  await workers.ready
}

const eventOf = (rawPath = '/', more: object = {}) =>
  ({ rawPath, requestContext: { requestId: `id of ${rawPath}` }, ...more }) as APIGatewayProxyEventV2

const steady = () => workers.invoke('steady', eventOf())
const bodyOf = (result: APIGatewayProxyStructuredResultV2) => JSON.parse(result.body ?? '')

/** Starts requests that run until they are released. */
const gatedRequests = (group = 'gated') => {
  const gate = new Int32Array(new SharedArrayBuffer(8))
  const results: Promise<APIGatewayProxyStructuredResultV2>[] = []
  return {
    add: (count: number) => {
      for (let i = 0; i < count; i++) results.push(workers.invoke(group, eventOf('/', { gate: gate.buffer })))
    },
    untilRunning: (count: number) =>
      vi.waitFor(() => expect(Atomics.load(gate, 1)).toBe(count), { timeout: 10_000, interval: 5 }),
    running: () => Atomics.load(gate, 1),
    finish: async () => {
      Atomics.store(gate, 0, 1)
      Atomics.notify(gate, 0)
      return (await Promise.all(results)).map(bodyOf)
    },
  }
}

describe('a handler', () => {
  test('gets event, context and environment', async () => {
    await start({ timeoutMs: 9000 })
    const body = bodyOf(await workers.invoke('steady', eventOf('/x')))
    expect(body).toMatchObject({
      path: '/x',
      requestId: 'id of /x',
      functionName: 'latchkey-steady',
      setting: 'as set',
    })
    expect(body.remainingMs).toBeGreaterThan(0)
    expect(body.remainingMs).toBeLessThanOrEqual(9000)
  })

  test('runs in a different worker each time, so it cannot rely on memory', async () => {
    await start()
    const threads = [await steady(), await steady(), await steady(), await steady()].map(
      (r) => bodyOf(r).threadId,
    )
    expect(new Set(threads).size).toBe(2)
    expect(threads.slice(0, 2)).toEqual(threads.slice(2))
  })
})

describe('many requests', () => {
  test('run one at a time on each worker, up to the limit', async () => {
    await start({ minWorkers: 2, maxWorkers: 4 })
    expect(workers.count()).toBe(2)
    const requests = gatedRequests()
    requests.add(10)
    await requests.untilRunning(3)
    expect(workers.count()).toBeLessThanOrEqual(4)
    const done = await requests.finish()
    expect(done).toHaveLength(10)
    expect(done.map((body) => body.concurrent)).toEqual(Array(10).fill(1))
  })

  test('of one group leave a worker for other groups', async () => {
    await start({ minWorkers: 2, maxWorkers: 4 })
    const flood = gatedRequests()
    flood.add(50)
    await flood.untilRunning(3)
    for (let i = 0; i < 5; i++) expect((await steady()).statusCode).toBe(200)
    expect(flood.running()).toBe(3)
    expect(workers.count()).toBe(4)
    expect(await flood.finish()).toHaveLength(50)
  })

  test('are processed in order', async () => {
    await start({ minWorkers: 1, maxWorkers: 1 })
    const order: number[] = []
    const numbers = Array.from({ length: 20 }, (_, n) => n)
    await Promise.all(numbers.map((n) => steady().then(() => order.push(n))))
    expect(order).toEqual(numbers)
  })

  test('of one group beyond the limit get a 503, of other groups not', async () => {
    await start({ minWorkers: 2, maxWorkers: 2, maxWaiting: 3 })
    const flood = gatedRequests()
    flood.add(1)
    await flood.untilRunning(1)
    flood.add(3)
    const refused = await workers.invoke('gated', eventOf('/late'))
    expect(refused.statusCode).toBe(503)
    expect(bodyOf(refused)).toEqual({ message: 'Service Unavailable' })
    expect((await steady()).statusCode).toBe(200)
    expect(await flood.finish()).toHaveLength(4)
  })
})

describe('a worker', () => {
  const works = async () => {
    const results = await Promise.all(Array.from({ length: 6 }, steady))
    expect(results.map((result) => result.statusCode)).toEqual(Array(6).fill(200))
  }

  test('continues after a handler that throws', async () => {
    await start()
    await expect(workers.invoke('faulty', eventOf('/throws'))).rejects.toThrow('The handler failed.')
    expect(failures).toEqual([expect.stringContaining('thrown on purpose')])
    expect(workers.count()).toBe(2)
    await works()
  })

  test.each([
    ['/exits', 'ended'],
    ['/crashes', 'crashed on purpose'],
    ['/returns-a-function', 'could not be cloned'],
    ['/exhausts-memory', 'memory'],
  ])('that ends during %s is replaced', async (path, cause) => {
    await start()
    await expect(workers.invoke('faulty', eventOf(path))).rejects.toThrow('The handler failed.')
    expect(failures).toEqual([expect.stringContaining(cause)])
    await vi.waitFor(() => expect(workers.count()).toBe(2))
    await works()
  })

  test.each(['/never-answers', '/loops'])(
    'that takes too long for %s is replaced, and the caller gets a 503',
    async (path) => {
      await start({ timeoutMs: 300 })
      const result = await workers.invoke('faulty', eventOf(path))
      expect(result.statusCode).toBe(503)
      expect(bodyOf(result)).toEqual({ message: 'Service Unavailable' })
      await vi.waitFor(() => expect(workers.count()).toBe(2))
      await works()
    },
  )

  test('reports an unknown group and continues', async () => {
    await start()
    await expect(workers.invoke('no-such-group', eventOf())).rejects.toThrow('The handler failed.')
    await works()
  })
})

test('closing rejects running and waiting requests', async () => {
  await start({ minWorkers: 2, maxWorkers: 2 })
  const requests = [1, 2, 3].map(() => workers.invoke('faulty', eventOf('/never-answers')))
  const settled = Promise.allSettled(requests)
  await workers.close()
  expect((await settled).map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(workers.count()).toBe(0)
  await expect(steady()).rejects.toThrow('stopping')
})
