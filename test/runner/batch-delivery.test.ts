import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../support/client.ts'
import { type BatchRules, deliverBatch } from './batch-delivery.ts'
import { matchesPattern } from './event-filter.ts'
import { createStreamRecords, type StreamRecord } from './stream-records.ts'

const streamArn = 'arn:aws:dynamodb:local:000000000000:table/users/stream/1'
const key = (pk: string, sk = 'item') => ({ pk: { S: pk }, sk: { S: sk } })
const write = (action: string, input: object) => ({ action, input, accessKeyId: 'local' })

describe('the records of a stream', () => {
  it('have keys and no attributes, and distinguish new items from changed ones', () => {
    const toRecords = createStreamRecords(streamArn)
    const names = [
      write('PutItem', { Item: { ...key('a'), password_hash: { S: 'secret' } } }),
      write('UpdateItem', { Key: key('a') }),
      write('DeleteItem', { Key: key('a') }),
      write('DeleteItem', { Key: key('a') }),
      write('TransactWriteItems', {
        TransactItems: [
          { Put: { Item: key('a') } },
          { ConditionCheck: { Key: key('b') } },
          { Update: { Key: key('c') } },
        ],
      }),
      write('GetItem', { Key: key('d') }),
    ].map((call) => toRecords(call))
    expect(names.map((records) => records.map(({ eventName }) => eventName))).toEqual([
      ['INSERT'],
      ['MODIFY'],
      ['REMOVE'],
      [],
      ['INSERT', 'INSERT'],
      [],
    ])
    expect(JSON.stringify(names)).not.toContain('secret')
  })
})

describe('a filter', () => {
  const pattern = {
    eventName: ['INSERT'],
    dynamodb: { Keys: { pk: { S: ['outbox', { prefix: 'audit#' }] } } },
  }
  const eventOf = (pk: string, eventName = 'INSERT') => ({ eventName, dynamodb: { Keys: key(pk) } })

  it.each([
    ['an equal value', eventOf('outbox'), true],
    ['a prefix', eventOf('audit#2026-01'), true],
    ['another value', eventOf('user#1'), false],
    ['a longer value', eventOf('outbox#1'), false],
    ['another kind of event', eventOf('outbox', 'MODIFY'), false],
  ])('decides about %s', (_, event, expected) => {
    expect(matchesPattern(pattern, event)).toBe(expected)
  })

  it('must only contain rules that the runner knows', () => {
    const unknown = { eventName: [{ suffix: 'SERT' }] }
    expect(() => matchesPattern(unknown, eventOf('outbox'))).toThrow('does not know')
  })
})

describe('a batch', () => {
  const toRecords = createStreamRecords(streamArn)
  const batch = ['1', '2', '3', '4'].flatMap((name) => toRecords(write('PutItem', { Item: key(name) })))
  const namesOf = (records: readonly StreamRecord[]) =>
    records.map(({ dynamodb }) => dynamodb.Keys.pk.S).join('')
  const rules: BatchRules = { batchSize: 4, retryAttempts: 3, bisects: true, reportsFailures: true }

  /** Delivers four records to a function, and returns its calls and the abandoned records. */
  const deliver = async (handle: (names: string) => JsonValue, others: Partial<BatchRules> = {}) => {
    const calls: string[] = []
    const abandoned: string[] = []
    await deliverBatch(
      batch,
      { ...rules, ...others },
      {
        invoke: async (records) => {
          const names = namesOf(records)
          calls.push(names)
          return handle(names)
        },
        abandon: (records) => abandoned.push(namesOf(records)),
        retryAfterMs: 0,
      },
    )
    return { calls, abandoned }
  }
  const failureOf = (name: string) => ({
    batchItemFailures: [{ itemIdentifier: batch[Number(name) - 1]?.dynamodb.SequenceNumber }],
  })
  const fail = () => {
    throw new Error('the function failed')
  }

  it('is delivered once if the function handles it', async () => {
    const { calls, abandoned } = await deliver(() => ({ batchItemFailures: [] }))
    expect({ calls, abandoned }).toEqual({ calls: ['1234'], abandoned: [] })
  })

  it('is delivered again from the first record that failed', async () => {
    let failures = 0
    const { calls } = await deliver(() => (failures++ === 0 ? failureOf('3') : { batchItemFailures: [] }))
    expect(calls).toEqual(['1234', '34'])
  })

  it('is delivered in halves, so that one record does not hold up the others', async () => {
    const { calls, abandoned } = await deliver((names) => (names.includes('2') ? fail() : null))
    expect(calls).toEqual(['1234', '12', '1', '2', '2', '34'])
    expect(abandoned).toEqual(['2'])
  })

  it('fails as a whole if the function names an unknown record', async () => {
    const unknown = { batchItemFailures: [{ itemIdentifier: '' }] }
    const { calls, abandoned } = await deliver(() => unknown, { bisects: false, retryAttempts: 1 })
    expect({ calls, abandoned }).toEqual({ calls: ['1234', '1234'], abandoned: ['1234'] })
  })

  it('counts as handled if the mapping does not ask for failures', async () => {
    expect((await deliver(() => failureOf('1'), { reportsFailures: false })).calls).toEqual(['1234'])
  })
})
