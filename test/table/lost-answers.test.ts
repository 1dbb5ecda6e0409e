import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createSession } from '../../lib/accounts/sessions/write-sessions.records.ts'
import { buildUser } from '../../lib/accounts/users/new-user.ts'
import { createUser, editUser } from '../../lib/accounts/users/write-users.records.ts'
import {
  buildTakeTicketSteps,
  createTicket,
  findTicketAndUser,
  TicketRefused,
} from '../../lib/features/tickets/records.ts'
import { BusyError } from '../../lib/kernel/errors/errors.ts'
import { countEvent, getEventCount, rateKey, refundEvent } from '../../lib/kernel/rates/rates.ts'
import { isAbsent } from '../../lib/kernel/table/expressions.ts'
import { openTable } from '../../lib/kernel/table/open-table.ts'
import { backOff } from '../../lib/kernel/table/table-calls.ts'
import { ConditionFailed, type Item } from '../../lib/kernel/table/transaction.ts'
import { createTable } from '../../local/dynamodb.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'

let failures: ('lose' | 'hang' | { readonly status: number; readonly body: object })[] = []
let calls = 0
const tableName = `lost-${randomUUID()}`
let lastRequest: { headers: Record<string, string>; body: Buffer<ArrayBuffer> }
const engine = process.env['DYNAMODB_ENDPOINT'] ?? ''

/*
 * A proxy between the table and the engine can drop an answer after the engine did the work, or return an answer of AWS
 * that no local engine returns.
 */
const server = closeAfterTests(
  createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      calls += 1
      const failure = failures.shift()
      if (failure === 'hang') return
      if (failure && failure !== 'lose') {
        response.writeHead(failure.status, { 'content-type': 'application/x-amz-json-1.0' })
        response.end(JSON.stringify(failure.body))
        return
      }
      const headers = Object.fromEntries(
        ['content-type', 'x-amz-target', 'authorization', 'x-amz-date'].map((name) => [
          name,
          `${request.headers[name]}`,
        ]),
      )
      lastRequest = { headers, body: Buffer.concat(chunks) }
      const answer = await fetch(engine, { method: 'POST', ...lastRequest })
      if (failure === 'lose') {
        response.destroy()
        return
      }
      response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' })
      response.end(Buffer.from(await answer.arrayBuffer()))
    })
  }),
)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
await createTable(engine, tableName)
const table = openTable({ tableName, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
const nowSeconds = Math.floor(Date.now() / 1000)
const aKey = () => ({ pk: `test#${randomUUID()}`, sk: 'test' })

const updateConflict = {
  status: 400,
  body: { __type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException', message: 'x' },
}
beforeEach(() => {
  failures = []
  calls = 0
})
afterAll(() => server.closeAllConnections())

describe('a write whose answer is lost', () => {
  it('gives a one-time item to its caller and to no other', async () => {
    const key = aKey()
    await table.put({ ...key, value: 'it', expires_at: nowSeconds + 60 })
    failures = ['lose']
    expect((await table.take(key, nowSeconds))?.['value']).toBe('it')
    expect(calls).toBe(4)
    expect(await table.take(key, nowSeconds)).toBeUndefined()
  })

  it('gives a one-time item to its caller although conflicts follow', async () => {
    const key = aKey()
    await table.put({ ...key, value: 'it', expires_at: nowSeconds + 60 })
    failures = ['lose', updateConflict, updateConflict]
    expect((await table.take(key, nowSeconds))?.['value']).toBe('it')
    expect(await table.take(key, nowSeconds)).toBeUndefined()
  })

  it('reserves an item once', async () => {
    const key = aKey()
    failures = ['lose', 'lose']
    await table.reserve({ ...key, expires_at: nowSeconds + 60 })
    await expect(table.reserve({ ...key, expires_at: nowSeconds + 60 })).rejects.toBeInstanceOf(
      ConditionFailed,
    )
  })

  it('exchanges a ticket once', async () => {
    const user = await createUser(table, buildUser({ username: randomUUID() }), Date.now())
    const [now, hash] = [Date.now(), randomUUID()]
    const session = {
      hash: 'session-hash',
      id: 1,
      userId: user.id,
      credentialEpoch: 1,
      createdAt: 0,
      lastSeenAt: 0,
      expiresAt: 0,
      address: '',
      userAgent: '',
      authentication: { at: 0, methods: ['pwd' as const] },
    }
    await createSession(table, session)
    const ticket = {
      hash,
      userId: user.id,
      credentialEpoch: 1,
      expiresAt: now + 60_000,
      creator: session,
    }
    await createTicket(table, ticket, [])
    failures = ['lose', 'lose']
    const event = aKey()
    await table.transact([...buildTakeTicketSteps(ticket, now), { put: event, condition: isAbsent }])
    expect((await findTicketAndUser(table, user.id, hash)).ticket?.takenAt).toBe(now)
    expect(await table.get(event)).toEqual(event)
    await expect(table.transact(buildTakeTicketSteps(ticket, now))).rejects.toBeInstanceOf(TicketRefused)
  })

  it('is repeated before the caller times out if no answer arrives', {
    timeout: 20_000,
  }, async () => {
    const key = aKey()
    await table.put({ ...key, value: 'it', expires_at: nowSeconds + 60 })
    failures = ['hang']
    expect((await table.take(key, nowSeconds))?.['value']).toBe('it')
    expect(calls).toBe(3)
  })

  it('edits a user once, without a conflict', async () => {
    const user = await createUser(table, buildUser({ username: randomUUID() }), Date.now())
    failures = ['lose']
    const edited = await editUser(table, user, { full_name: 'once' })
    expect(edited).toMatchObject({ full_name: 'once', version: 2 })
  })

  it.each([1, 2, 3])('counts an event once and takes it back once if %i answers are lost', async (times) => {
    const limit = { name: 'lost', max: 100, windowMs: 600_000 }
    const [subject, now] = [randomUUID(), Date.now()]
    const lose = () => Array.from({ length: times }, () => 'lose' as const)
    const count = (item: Item | undefined) => getEventCount(item, limit, now)
    for (let at = 0; at < 5; at++) await countEvent(table, limit, subject, now)
    failures = lose()
    expect(count(await countEvent(table, limit, subject, now))).toBe(6)
    failures = lose()
    await refundEvent(table, limit, subject, now)
    expect(count(await table.get(rateKey(limit, subject)))).toBe(5)
  })

  it('does not change an item again if a copy of the call arrives later', async () => {
    const key = aKey()
    await table.put({ ...key, value: 'old' })
    await table.update(key, (x) => ({
      set: [`${x.path('value')} = ${x.value('ours')}`],
      condition: `${x.path('value')} = ${x.value('old')}`,
    }))
    const lateCopy = lastRequest
    await table.transact([
      { update: key, changes: (x) => ({ set: [`${x.path('value')} = ${x.value('theirs')}`] }) },
    ])
    const answer = await fetch(engine, { method: 'POST', ...lateCopy })
    expect(await answer.text()).toContain('ConditionalCheckFailedException')
    expect((await table.get(key))?.['value']).toBe('theirs')
  })

  it('commits a transaction once, and its own condition does not reject it', async () => {
    const key = aKey()
    failures = ['lose']
    await table.transact([{ put: { ...key, value: 1 }, condition: isAbsent }])
    expect((await table.get(key))?.['value']).toBe(1)
  })
})

describe('a write that conflicts with another transaction', () => {
  const canceled = (...codes: string[]) => ({
    status: 400,
    body: {
      __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
      Message: 'x',
      CancellationReasons: codes.map((Code) => ({ Code })),
    },
  })

  it('is retried until it succeeds', async () => {
    const key = aKey()
    failures = Array.from({ length: 6 }, () => updateConflict)
    const item = await table.update(key, (x) => ({ set: [`${x.path('value')} = ${x.value(1)}`] }))
    expect(item['value']).toBe(1)
    expect(calls).toBe(7)
  })

  it('is retried as a transaction unless a condition failed', async () => {
    const key = aKey()
    failures = [canceled('None', 'TransactionConflict'), canceled('TransactionConflict', 'None')]
    await table.transact([{ put: { ...key, value: 1 } }, { put: aKey() }])
    expect(calls).toBe(3)
    failures = [canceled('ConditionalCheckFailed', 'TransactionConflict')]
    const refused = new Error('refused')
    await expect(
      table.transact([
        { put: aKey(), orElse: () => refused },
        { put: aKey(), orElse: () => new Error('busy') },
      ]),
    ).rejects.toBe(refused)
    expect(calls).toBe(4)
  })

  it('is retried after throttling, and so is a counter', async () => {
    const key = aKey()
    failures = [
      canceled('ThrottlingError', 'None'),
      canceled('None', 'ProvisionedThroughputExceeded'),
      canceled('RequestLimitExceeded', 'None'),
    ]
    await table.transact([{ put: { ...key, value: 1 } }, { put: aKey() }])
    expect(calls).toBe(4)
    expect(await table.get(key)).toMatchObject({ value: 1 })
    const counter = aKey()
    expect((await table.nextIds(counter)).first).toBe(1)
    failures = [updateConflict, updateConflict]
    expect((await table.nextIds(counter)).first).toBe(2)
  })

  it('fails after a limited number of attempts', async () => {
    failures = Array.from({ length: 100 }, () => updateConflict)
    const update = table.update(aKey(), (x) => ({ set: [`${x.path('value')} = ${x.value(1)}`] }))
    await expect(update).rejects.toThrow(BusyError)
    expect(calls).toBeLessThan(40)
  })
})

describe('a write whose answer is lost', () => {
  it('is not reported as refused by a busy table, because it may have been committed', async () => {
    const key = aKey()
    failures = ['lose', ...Array.from({ length: 100 }, () => updateConflict)]
    const update = table.update(key, (x) => ({ set: [`${x.path('value')} = ${x.value(1)}`] }))
    await expect(update).rejects.toThrow(expect.objectContaining({ name: 'TransactionConflictException' }))
    failures = []
    expect(await table.get(key)).toMatchObject({ value: 1 })
  })
})

describe('a batch read that DynamoDB processes in part', () => {
  const unprocessed = (...keys: { pk: string; sk: string }[]) => ({
    status: 200,
    body: {
      Responses: { [tableName]: [] },
      UnprocessedKeys: {
        [tableName]: { Keys: keys.map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } })) },
      },
    },
  })

  it('requests the rest and returns all items in order', async () => {
    const [first, second] = [aKey(), aKey()]
    await table.put({ ...first, value: 1 })
    await table.put({ ...second, value: 2 })
    calls = 0
    failures = [unprocessed(first, second), unprocessed(first, second)]
    const items = await table.getMany([second, aKey(), first])
    expect(items.map((item) => item?.['value'])).toEqual([2, undefined, 1])
    expect(calls).toBe(3)
  })

  it('fails if nothing is ever processed', async () => {
    const key = aKey()
    failures = Array.from({ length: 100 }, () => unprocessed(key))
    await expect(table.getMany([key])).rejects.toThrow(BusyError)
    expect(calls).toBe(backOff.attempts)
  })
})
