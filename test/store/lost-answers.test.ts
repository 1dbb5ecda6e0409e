import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTable } from '../../infra/local/dynamodb.ts'
import { buildUser } from '../../lib/accounts/directory/new-user.ts'
import { createUser, editUser } from '../../lib/store/directory/users.ts'
import { isAbsent } from '../../lib/store/engine/expressions.ts'
import { openTable } from '../../lib/store/engine/open-table.ts'
import type { Table } from '../../lib/store/engine/table.ts'
import type { Item } from '../../lib/store/engine/transaction.ts'
import { ConditionFailed } from '../../lib/store/engine/transaction-errors.ts'
import { countEvent, getEventCount, rateKey, uncountEvent } from '../../lib/store/records/rates.ts'
import { createTicket, takeTicket } from '../../lib/store/sign-in/tickets.ts'

/*
 * Between the table and the engine stands a proxy that can lose an answer after the engine did the work, or put
 * an answer of AWS in the way that no local engine gives.
 */
let server: Server
let table: Table
let faults: ('lose' | 'hang' | { readonly status: number; readonly body: object })[] = []
let calls = 0
const tableName = `lost-${randomUUID()}`
let lastRequest: { headers: Record<string, string>; body: Buffer<ArrayBuffer> }
const engine = process.env['DYNAMODB_ENDPOINT'] ?? ''
const nowSeconds = Math.floor(Date.now() / 1000)
const aKey = () => ({ pk: `test#${randomUUID()}`, sk: 'test' })

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      calls += 1
      const fault = faults.shift()
      if (fault === 'hang') return
      if (fault && fault !== 'lose') {
        response.writeHead(fault.status, { 'content-type': 'application/x-amz-json-1.0' })
        response.end(JSON.stringify(fault.body))
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
      if (fault === 'lose') {
        response.destroy()
        return
      }
      response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' })
      response.end(Buffer.from(await answer.arrayBuffer()))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await createTable(engine, tableName)
  table = openTable({ tableName, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
beforeEach(() => {
  faults = []
  calls = 0
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('when the answer got lost', () => {
  it('a take was still won by its taker, and by nobody else', async () => {
    const key = aKey()
    await table.put({ ...key, value: 'it', expires_at: nowSeconds + 60 })
    faults = ['lose']
    expect((await table.take(key, nowSeconds))?.['value']).toBe('it')
    expect(calls).toBe(4)
    expect(await table.take(key, nowSeconds)).toBeUndefined()
  })

  it('a reservation was still made by its maker', async () => {
    const key = aKey()
    faults = ['lose', 'lose']
    await table.reserve({ ...key, expires_at: nowSeconds + 60 })
    await expect(table.reserve({ ...key, expires_at: nowSeconds + 60 })).rejects.toBeInstanceOf(
      ConditionFailed,
    )
  })

  it('a ticket was still exchanged, once', async () => {
    const user = await createUser(table, buildUser({ username: randomUUID() }), Date.now())
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
    }
    const now = Date.now()
    await createTicket(table, user, {
      hash: 'ticket-hash',
      expiresAt: now + 60_000,
      creator: session,
      nowMs: now,
    })
    faults = ['lose']
    expect((await takeTicket(table, user.id, 'ticket-hash', Date.now()))?.id).toBe(user.id)
    expect(await takeTicket(table, user.id, 'ticket-hash', Date.now())).toBeUndefined()
  })

  it('and never comes, the call is made again before the caller’s patience ends', {
    timeout: 20_000,
  }, async () => {
    const key = aKey()
    await table.put({ ...key, value: 'it', expires_at: nowSeconds + 60 })
    faults = ['hang']
    expect((await table.take(key, nowSeconds))?.['value']).toBe('it')
    expect(calls).toBe(3)
  })

  it('an edit was still made, once, and no conflict', async () => {
    const user = await createUser(table, buildUser({ username: randomUUID() }), Date.now())
    faults = ['lose']
    const edited = await editUser(table, user, { fullName: 'once' })
    expect(edited).toMatchObject({ fullName: 'once', version: 2 })
  })

  it.each([1, 2, 3])('%i times, an event was counted once, and taken back once', async (times) => {
    const limit = { name: 'lost', max: 100, windowMs: 600_000 }
    const [subject, now] = [randomUUID(), Date.now()]
    const lose = () => Array.from({ length: times }, () => 'lose' as const)
    const count = (item: Item | undefined) => getEventCount(item, limit, now)
    for (let at = 0; at < 5; at++) await countEvent(table, limit, subject, now)
    faults = lose()
    expect(count(await countEvent(table, limit, subject, now))).toBe(6)
    faults = lose()
    await uncountEvent(table, limit, subject, now)
    expect(count(await table.get(rateKey(limit, subject)))).toBe(5)
  })

  it('a copy of the call that comes late changes nothing that was changed since', async () => {
    const key = aKey()
    await table.put({ ...key, value: 'old' })
    await table.update(key, (x) => ({
      set: [`${x.path('value')} = ${x.value('ours')}`],
      condition: `${x.path('value')} = ${x.value('old')}`,
    }))
    const late = lastRequest
    await table.transact([
      { update: key, changes: (x) => ({ set: [`${x.path('value')} = ${x.value('theirs')}`] }) },
    ])
    const answer = await fetch(engine, { method: 'POST', ...late })
    expect(await answer.text()).toContain('ConditionalCheckFailedException')
    expect((await table.get(key))?.['value']).toBe('theirs')
  })

  it('a transaction was still made, once, and its conditions did not turn on itself', async () => {
    const key = aKey()
    faults = ['lose']
    await table.transact([{ put: { ...key, value: 1 }, condition: isAbsent }])
    expect((await table.get(key))?.['value']).toBe(1)
  })
})

describe('when another transaction is in the way', () => {
  const conflictOfUpdate = {
    status: 400,
    body: { __type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException', message: 'x' },
  }
  const cancelled = (...codes: string[]) => ({
    status: 400,
    body: {
      __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
      Message: 'x',
      CancellationReasons: codes.map((Code) => ({ Code })),
    },
  })

  it('a single write is made again until it is through', async () => {
    const key = aKey()
    faults = Array.from({ length: 6 }, () => conflictOfUpdate)
    const item = await table.update(key, (x) => ({ set: [`${x.path('value')} = ${x.value(1)}`] }))
    expect(item['value']).toBe(1)
    expect(calls).toBe(7)
  })

  it('a transaction is made again, but not one whose condition failed', async () => {
    const key = aKey()
    faults = [cancelled('None', 'TransactionConflict'), cancelled('TransactionConflict', 'None')]
    await table.transact([{ put: { ...key, value: 1 } }, { put: aKey() }])
    expect(calls).toBe(3)
    faults = [cancelled('ConditionalCheckFailed', 'TransactionConflict')]
    const refused = new Error('refused')
    await expect(
      table.transact([
        { put: aKey(), orElse: () => refused },
        { put: aKey(), orElse: () => new Error('busy') },
      ]),
    ).rejects.toBe(refused)
    expect(calls).toBe(4)
  })

  it('or too much load, a transaction is made again, and so is the next number of a counter', async () => {
    const key = aKey()
    faults = [
      cancelled('ThrottlingError', 'None'),
      cancelled('None', 'ProvisionedThroughputExceeded'),
      cancelled('RequestLimitExceeded', 'None'),
    ]
    await table.transact([{ put: { ...key, value: 1 } }, { put: aKey() }])
    expect(calls).toBe(4)
    expect(await table.get(key)).toMatchObject({ value: 1 })
    const counter = aKey()
    expect(await table.next(counter)).toBe(1)
    faults = [conflictOfUpdate, conflictOfUpdate]
    expect(await table.next(counter)).toBe(2)
  })

  it('for ever, gives up in the end', async () => {
    faults = Array.from({ length: 100 }, () => conflictOfUpdate)
    const update = table.update(aKey(), (x) => ({ set: [`${x.path('value')} = ${x.value(1)}`] }))
    await expect(update).rejects.toThrow()
    expect(calls).toBeLessThan(40)
  })
})

describe('when DynamoDB leaves a part of a batch read unprocessed', () => {
  const unprocessed = (...keys: { pk: string; sk: string }[]) => ({
    status: 200,
    body: {
      Responses: { [tableName]: [] },
      UnprocessedKeys: {
        [tableName]: { Keys: keys.map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } })) },
      },
    },
  })

  it('asks again for that part and returns all items in order', async () => {
    const [first, second] = [aKey(), aKey()]
    await table.put({ ...first, value: 1 })
    await table.put({ ...second, value: 2 })
    calls = 0
    faults = [unprocessed(first, second), unprocessed(first, second)]
    const items = await table.getMany([second, aKey(), first])
    expect(items.map((item) => item?.['value'])).toEqual([2, undefined, 1])
    expect(calls).toBe(3)
  })

  it('gives up when nothing is ever processed', async () => {
    const key = aKey()
    faults = Array.from({ length: 100 }, () => unprocessed(key))
    await expect(table.getMany([key])).rejects.toThrow('unprocessed')
    expect(calls).toBe(13)
  })
})
