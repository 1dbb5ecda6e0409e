import { beforeEach, describe, expect, it } from 'vitest'
import { logoutJobKey } from '../../lib/kernel/table/keys/job-keys.ts'
import type { Key } from '../../lib/kernel/table/keys/keys.ts'
import { createBusWriter } from '../../lib/kernel/util/bus-writer.ts'
import { startProxy, type TableCall } from '../infra/dynamodb-proxy.ts'
import { type StubEventBridge, startEventBridge } from '../infra/event-bridge-stub.ts'
import { addAuditEvents, readAuditItems } from '../support/audit-items.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { useService } from '../support/use-service.ts'

const busName = 'the-bus'
const jobBusName = 'the-job-bus'
const bus = closeAfterTests(await startEventBridge())
let refuseTableCall: (call: TableCall) => string | undefined = () => undefined
const readKeys: number[] = []
const proxy = closeAfterTests(
  await startProxy({
    endpoint: process.env['DYNAMODB_ENDPOINT'] ?? '',
    refuse: (call) => refuseTableCall(call),
    onCall: ({ action, input }) => {
      if (action === 'BatchGetItem')
        for (const table of Object.keys(input.RequestItems))
          readKeys.push(input.RequestItems[table].Keys.length)
      return () => {}
    },
  }),
)
const service = await useService({
  AUDIT_BUS_NAME: busName,
  JOB_BUS_NAME: jobBusName,
  AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
  DYNAMODB_ENDPOINT: proxy.url,
})
beforeEach(() => {
  bus.clear()
  refuseTableCall = () => undefined
})

/** Delivers the stream records of new items. Returns the place of the first one that must be delivered again. */
const deliver = async (keys: readonly Key[]): Promise<number | undefined> => {
  const records = keys.map(({ pk, sk }, at) => ({
    eventName: 'INSERT' as const,
    dynamodb: { SequenceNumber: String(1000 + at), Keys: { pk: { S: pk }, sk: { S: sk } } },
  }))
  // Imported late, because the function reads its environment once, and the test service sets it.
  const { handler } = await import('../../functions/audit-forward/index.ts')
  const { batchItemFailures } = await handler({ Records: records })
  const [failure] = batchItemFailures
  return failure ? Number(failure.itemIdentifier) - 1000 : undefined
}

let hours = 0
/** Stores new events of an hour of their own and returns them in order. */
const addEvents = async (count: number) => {
  const at = Date.parse('2026-03-01T00:00:00.000Z') + ++hours * 60 * 60_000
  await addAuditEvents(service.services.table, count, at)
  const items = await readAuditItems(service.services.table, [at])
  return items.filter((item) => Number(item['at']) >= at)
}
const sortKeysOf = (events: StubEventBridge['events']): string[] =>
  events.map(({ Detail }) => JSON.parse(Detail).record.sk.S)
const sortKeys = (items: readonly Key[]): string[] => items.map(({ sk }) => sk)

describe('audit events on the bus', () => {
  it('have the form that rules of products match', async () => {
    const body = { username: 'unknown', password: 'wrong password' }
    await service.client('POST', '/api/2/auth/login', { body, headers: { 'user-agent': 'curl' } })
    const stored = (await readAuditItems(service.services.table)).filter(
      (item) => item['event'] === 'login.failed',
    )
    expect(stored).toHaveLength(1)
    expect(await deliver(stored)).toBeUndefined()
    const [{ pk, sk, at, address, requestId, expires_at, outcome } = { pk: '', sk: '' }] = stored
    const [{ Detail, ...envelope } = { Detail: '{}' }] = bus.events
    expect(envelope).toEqual({ EventBusName: busName, Source: 'latchkey', DetailType: 'Audit record' })
    expect(JSON.parse(Detail)).toEqual({
      record: {
        pk: { S: pk },
        sk: { S: sk },
        at: { N: String(at) },
        event: { S: 'login.failed' },
        user: { NULL: true },
        actor: { NULL: true },
        target: { NULL: true },
        address: { S: address },
        requestId: { S: requestId },
        outcome: { S: outcome },
        userAgent: { S: 'curl' },
        username: { S: 'unknown' },
        expires_at: { N: String(expires_at) },
      },
    })
  })

  it('do not include logout jobs, which start their function by a bus of their own', async () => {
    const items = await addEvents(2)
    const jobs = Array.from({ length: 100 }, (_, at) => logoutJobKey(`job-${at}`))
    expect(await deliver([...jobs, ...items])).toBeUndefined()
    const [started, ...events] = bus.events
    expect(started).toMatchObject({ EventBusName: jobBusName, Source: 'latchkey', DetailType: 'Logout jobs' })
    expect(JSON.parse(started?.Detail ?? '{}')).toEqual({ keys: jobs })
    expect(events.map(({ EventBusName }) => EventBusName)).toEqual([busName, busName])
  })

  it('do not wait for logout jobs, which a schedule starts as well', async () => {
    const items = await addEvents(1)
    bus.refuse = ({ EventBusName }) => (EventBusName === jobBusName ? 'InternalException' : undefined)
    expect(await deliver([logoutJobKey('job'), ...items])).toBeUndefined()
    expect(sortKeysOf(bus.events)).toEqual(sortKeys(items))
  })

  it('arrive in the order of the stream, ten in a call, after one read', async () => {
    const items = await addEvents(25)
    readKeys.length = 0
    expect(await deliver(items)).toBeUndefined()
    expect(sortKeysOf(bus.events)).toEqual(sortKeys(items))
    expect(bus.calls.map(({ length }) => length)).toEqual([10, 10, 5])
    expect(readKeys).toEqual([25])
  })

  it('are read in parts of a hundred', async () => {
    const items = [...(await addEvents(70)), ...(await addEvents(60))]
    readKeys.length = 0
    expect(await deliver(items)).toBeUndefined()
    expect(sortKeysOf(bus.events)).toEqual(sortKeys(items))
    expect(readKeys.sort()).toEqual([100, 30])
  })

  it('stay within 256 KB of a call, counted in bytes', async () => {
    const [item] = await addEvents(1)
    const { table } = service.services
    const large = ['1', '2', '3'].map((name) => ({
      ...item,
      pk: 'audit#large',
      sk: name,
      text: 'ä'.repeat(60_000),
    }))
    for (const one of large) await table.put(one)
    expect(await deliver(large)).toBeUndefined()
    expect(bus.calls.map(({ length }) => length)).toEqual([2, 1])
  })

  it('are skipped if they no longer exist', async () => {
    const items = await addEvents(3)
    const [first, second, third] = items
    if (!first || !second || !third) throw new Error('there are no events')
    await service.services.table.transact([{ delete: { pk: second.pk, sk: second.sk } }])
    expect(await deliver(items)).toBeUndefined()
    expect(sortKeysOf(bus.events)).toEqual(sortKeys([first, third]))
    expect(await deliver([second])).toBeUndefined()
    expect(bus.calls).toHaveLength(1)
  })
})

describe('an audit event', () => {
  it('that the bus refuses is delivered again with all later ones', async () => {
    const items = await addEvents(25)
    const refused = items[13]?.sk
    bus.refuse = ({ Detail }) => (JSON.parse(Detail).record.sk.S === refused ? 'InternalFailure' : undefined)
    const failed = await deliver(items)
    expect(failed).toBe(13)
    expect(bus.calls).toHaveLength(2)
    expect(service.log.at(-1)).toMatch(
      /"level":"error","event":"audit.not_forwarded","error":"InternalFailure"/,
    )
    bus.refuse = () => undefined
    expect(await deliver(items.slice(failed))).toBeUndefined()
    expect(new Set(sortKeysOf(bus.events))).toEqual(new Set(sortKeys(items)))
  })

  it('is not lost with the answer of the bus, but arrives twice', async () => {
    const items = await addEvents(2)
    bus.answersInstead.push({ status: 500 })
    expect(await deliver(items)).toBeUndefined()
    expect(sortKeysOf(bus.events)).toEqual([...sortKeys(items), ...sortKeys(items)])
  })

  it('is delivered again if the call fails', async () => {
    const items = await addEvents(12)
    bus.answersInstead.push({ status: 400, body: '{"__type":"ValidationException"}' })
    expect(await deliver(items)).toBe(0)
    expect(bus.calls).toHaveLength(1)
    expect(service.log.at(-1)).toContain('"name":"ValidationException"')
  })

  it('is delivered again if it cannot be read', async () => {
    const items = await addEvents(1)
    refuseTableCall = ({ action }) => (action === 'BatchGetItem' ? 'not now' : undefined)
    await expect(deliver(items)).rejects.toThrow('not now')
    expect(bus.calls).toEqual([])
  })

  it('never goes to the default bus of the account', async () => {
    const entry = { sequenceNumber: '1', source: 'latchkey', detailType: 'Audit record', detail: '{}' }
    await expect(createBusWriter(undefined)([entry])).rejects.toThrow('The name of the bus is missing.')
    expect(bus.calls).toEqual([])
  })
})
