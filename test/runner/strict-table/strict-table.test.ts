import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createTable } from '../../../local/dynamodb.ts'
import { startProxy } from '../../infra/dynamodb-proxy.ts'
import type { JsonValue } from '../../support/client.ts'
import { closeAfterTests } from '../../support/close-after-tests.ts'
import { createStrictTable } from './strict-table.ts'

/*
 * The table of the runner refuses what DynamoDB refuses. Some limits are enforced by the engine, others in front of it:
 * these tests do not distinguish between them, so that another engine changes nothing.
 */

const engine = process.env['DYNAMODB_ENDPOINT'] ?? ''
const TableName = `latchkey-${randomUUID()}`
const strict = createStrictTable()
await createTable(engine, TableName)
const proxy = closeAfterTests(await startProxy({ endpoint: engine, intercept: strict.start }))

const call = async (action: string, input: object): Promise<JsonValue> => {
  const response = await fetch(proxy.url, {
    method: 'POST',
    headers: {
      'x-amz-target': `DynamoDB_20120810.${action}`,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-date': '20260101T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: JSON.stringify(input),
  })
  return response.json()
}

const text = (S: string) => ({ S })
const key = (pk: string, sk = 'item') => ({ pk: text(pk), sk: text(sk) })
const item = (pk: string, bytes = 1, others = {}) => ({ ...key(pk), v: text('x'.repeat(bytes)), ...others })
const put = (pk: string, bytes = 1) => ({ Put: { TableName, Item: item(pk, bytes) } })
const times = <Value>(count: number, make: (at: number) => Value): Value[] =>
  Array.from({ length: count }, (_, at) => make(at))
const update = (UpdateExpression: string, others = {}) => ({
  TableName,
  Key: key('update'),
  UpdateExpression,
  ExpressionAttributeValues: { ':v': text('x') },
  ...others,
})
const condition = (ConditionExpression: string, others = {}) =>
  update('SET a = :v', { ConditionExpression, ...others })
const transact = (...TransactItems: object[]) => ({ TransactItems })
const get = (...Keys: object[]) => ({ RequestItems: { [TableName]: { Keys } } })
const writeBatch = (count: number) => ({
  RequestItems: { [TableName]: times(count, (at) => ({ PutRequest: { Item: item(`batch${at}`) } })) },
})
const query = (pk: string) => ({
  TableName,
  KeyConditionExpression: 'pk = :p',
  ExpressionAttributeValues: { ':p': text(pk) },
})
const kilobytes = 1024

type Attempt = readonly [name: string, action: string, input: object]

describe('accepts what is within the limits', () => {
  it.each<Attempt>([
    ['an expression of 4,096 bytes', 'UpdateItem', update('SET a = :v'.padEnd(4096))],
    ['a partition key of 2,048 bytes', 'PutItem', { TableName, Item: item('p'.repeat(2048)) }],
    ['a sort key of 1,024 bytes', 'GetItem', { TableName, Key: key('p', 's'.repeat(1024)) }],
    [
      'an index key of 1,024 bytes',
      'PutItem',
      { TableName, Item: item('index', 1, { lpk: text('l'), lsk: text('s'.repeat(1024)) }) },
    ],
    ['an item of almost 400 KB', 'PutItem', { TableName, Item: item('large', 399 * kilobytes) }],
    ['a transaction of 100 items', 'TransactWriteItems', transact(...times(100, (at) => put(`many${at}`)))],
    ['a batch of 100 keys', 'BatchGetItem', get(...times(100, (at) => key(`get${at}`)))],
    ['a batch of 25 writes', 'BatchWriteItem', writeBatch(25)],
    ['300 operators', 'UpdateItem', condition(times(150, () => 'b <> :v').join(' AND '))],
    [
      'a placeholder of 255 characters',
      'UpdateItem',
      update(`SET #${'n'.repeat(254)} = :v`, { ExpressionAttributeNames: { [`#${'n'.repeat(254)}`]: 'a' } }),
    ],
  ])('%s', async (_, action, input) => {
    expect(await call(action, input)).not.toHaveProperty('__type')
  })
})

describe('rejects what exceeds the limits', () => {
  it.each<Attempt>([
    ['an expression of 4,097 bytes', 'UpdateItem', update('SET a = :v'.padEnd(4097))],
    ['a longer partition key', 'PutItem', { TableName, Item: item('p'.repeat(2049)) }],
    ['a longer sort key', 'GetItem', { TableName, Key: key('p', 's'.repeat(1025)) }],
    [
      'a longer index key',
      'PutItem',
      { TableName, Item: item('index', 1, { lpk: text('l'), lsk: text('s'.repeat(1025)) }) },
    ],
    [
      'an update to a longer index key',
      'UpdateItem',
      update('SET #l = :v', {
        ExpressionAttributeNames: { '#l': 'lsk' },
        ExpressionAttributeValues: { ':v': text('s'.repeat(1025)) },
      }),
    ],
    ['an empty partition key', 'PutItem', { TableName, Item: item('') }],
    ['an empty key in a query', 'Query', query('')],
    ['an item of more than 400 KB', 'PutItem', { TableName, Item: item('large', 400 * kilobytes) }],
    ['a batch of 101 keys', 'BatchGetItem', get(...times(101, (at) => key(`get${at}`)))],
    ['a key twice in a batch', 'BatchGetItem', get(key('same'), key('same'))],
    ['a batch of 26 writes', 'BatchWriteItem', writeBatch(26)],
    ['a transaction of 101 items', 'TransactWriteItems', transact(...times(101, (at) => put(`many${at}`)))],
    ['an item twice in a transaction', 'TransactWriteItems', transact(put('same'), put('same'))],
    [
      'a transaction of more than 4 MB',
      'TransactWriteItems',
      transact(...times(14, (at) => put(`large${at}`, 300 * kilobytes))),
    ],
    ['a transaction without items', 'TransactWriteItems', transact()],
    ['a change of a key in a transaction', 'TransactWriteItems', transact({ Update: update('SET pk = :v') })],
    ['a reserved word as a name', 'UpdateItem', update('SET name = :v')],
    ['a reserved word in a condition', 'UpdateItem', condition('attribute_not_exists(ttl)')],
    ['a value that no expression uses', 'UpdateItem', update('SET a = b')],
    ['301 operators', 'UpdateItem', condition(times(151, () => 'b <> :v').join(' AND '))],
    [
      '101 operands of IN',
      'UpdateItem',
      condition(`b IN (${times(101, (at) => `:v${at}`).join(', ')})`, {
        ExpressionAttributeValues: Object.fromEntries([
          [':v', text('x')],
          ...times(101, (at) => [`:v${at}`, text(String(at))]),
        ]),
      }),
    ],
    [
      'values of more than 2 MB',
      'UpdateItem',
      condition('b <> :w', {
        ExpressionAttributeValues: { ':v': text('x'), ':w': text('x'.repeat(2049 * kilobytes)) },
      }),
    ],
    [
      'a placeholder of 256 characters',
      'UpdateItem',
      update(`SET #${'n'.repeat(255)} = :v`, { ExpressionAttributeNames: { [`#${'n'.repeat(255)}`]: 'a' } }),
    ],
  ])('%s', async (_, action, input) => {
    expect((await call(action, input)).__type).toContain('ValidationException')
  })
})

describe('transactions', () => {
  it('report the item whose expression is too long', async () => {
    const step = { Update: update(`SET a = :v REMOVE ${times(600, (at) => `name${at}xx`).join(', ')}`) }
    const answer = await call('TransactWriteItems', transact(put('before'), step))
    expect(answer.__type).toContain('TransactionCanceledException')
    expect(answer.CancellationReasons).toMatchObject([{ Code: 'None' }, { Code: 'ValidationError' }])
  })

  it('are carried out once for a token, which cannot be used for another one', async () => {
    const ClientRequestToken = randomUUID()
    const counting = (pk: string) => ({
      ClientRequestToken,
      ...transact({
        Update: {
          TableName,
          Key: key(pk),
          UpdateExpression: 'ADD n :one',
          ExpressionAttributeValues: { ':one': { N: '1' } },
        },
      }),
    })
    await call('TransactWriteItems', counting('token'))
    await call('TransactWriteItems', counting('token'))
    expect((await call('GetItem', { TableName, Key: key('token') })).Item.n).toEqual({ N: '1' })
    expect((await call('TransactWriteItems', counting('other'))).__type).toContain(
      'IdempotentParameterMismatchException',
    )
  })

  it('conflict with an ongoing one and with single writes of its items', async () => {
    const ongoing = strict.start({
      action: 'TransactWriteItems',
      input: transact(put('shared')),
      accessKeyId: 'local',
    })
    const canceled = await call('TransactWriteItems', transact(put('own'), put('shared')))
    expect(canceled.__type).toContain('TransactionCanceledException')
    expect(canceled.CancellationReasons).toMatchObject([{ Code: 'None' }, { Code: 'TransactionConflict' }])
    const single = await call('PutItem', { TableName, Item: item('shared') })
    expect(single.__type).toContain('TransactionConflictException')
    expect(await call('GetItem', { TableName, Key: key('shared') })).toEqual({})
    if (typeof ongoing === 'function') ongoing()
    expect(await call('TransactWriteItems', transact(put('own'), put('shared')))).toEqual({})
  })
})

describe('large reads', () => {
  it('end a page of a query after 1 MB', async () => {
    for (const at of times(4, String))
      await call('PutItem', { TableName, Item: { ...item('pages', 300 * kilobytes), sk: text(at) } })
    const page = await call('Query', query('pages'))
    expect(page.Count).toBeLessThan(4)
    expect(page.LastEvaluatedKey).toEqual(key('pages', String(page.Count - 1)))
  })

  it('leave keys of a batch unprocessed after 16 MB', async () => {
    const names = times(43, (at) => `batch of large items ${at}`)
    for (const name of names) await call('PutItem', { TableName, Item: item(name, 390 * kilobytes) })
    const { Responses, UnprocessedKeys } = await call('BatchGetItem', get(...names.map((name) => key(name))))
    const unprocessed = UnprocessedKeys[TableName].Keys
    expect(unprocessed.length).toBeGreaterThan(0)
    expect(Responses[TableName].length + unprocessed.length).toBe(names.length)
  })
})

it('throttles calls on demand', async () => {
  strict.throttleNext(2, ({ action }) => action !== 'GetItem')
  expect(await call('GetItem', { TableName, Key: key('none') })).toEqual({})
  expect((await call('PutItem', { TableName, Item: item('a') })).__type).toContain('ThrottlingException')
  const canceled = await call('TransactWriteItems', transact(put('a'), put('b')))
  expect(canceled.CancellationReasons).toMatchObject([{ Code: 'ThrottlingError' }, { Code: 'None' }])
  expect(await call('PutItem', { TableName, Item: item('a') })).toEqual({})
})
