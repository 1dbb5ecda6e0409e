import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { toUnanswered } from '../../lib/http/unanswered.ts'
import { answersHead } from '../../lib/kernel/contract/operation.ts'
import { AppError } from '../../lib/kernel/errors/errors.ts'
import { ConnectionError } from '../../lib/kernel/table/post.ts'
import { startProxy, type TableCall } from '../infra/dynamodb-proxy.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * The table does not answer, or not in time. Nobody knows whether a write was committed, so a change must not look like a bug, or like
 * something that a client may simply repeat.
 */

let isAway: (call: TableCall) => boolean = () => false
let isLost: (call: TableCall) => boolean = () => false
const endpoint = process.env['DYNAMODB_ENDPOINT'] ?? ''
const proxy = closeAfterTests(
  await startProxy({
    endpoint,
    refuse: (call) =>
      isAway(call)
        ? { status: 500, body: JSON.stringify({ __type: 'InternalServerError', message: 'away' }) }
        : undefined,
    losesAnswer: (call) => isLost(call),
  }),
)
const service = await useService({ DYNAMODB_ENDPOINT: proxy.url })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
beforeEach(() => {
  isAway = () => false
  isLost = () => false
})
afterAll(() => {
  process.env['DYNAMODB_ENDPOINT'] = endpoint
})
const call = (method: string, path: string, body?: object) =>
  service.client(method, `/api/2/${path}`, { bearer: admin.bearer, ...(body && { body }) })
const isWrite = ({ action }: TableCall) => /^(Put|Update|Transact)/.test(action)

describe('a table that does not answer', () => {
  it('makes a read a 503 that can be sent again', async () => {
    isAway = () => true
    const answer = await call('GET', 'users')
    expect(answer).toMatchObject({
      status: 503,
      body: { code: 'temporarily_unavailable', reason: 'out_of_time' },
    })
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(service.log.some((line) => line.includes('request.failed'))).toBe(true)
  })

  it.each(['committed', 'lost'])(
    'makes a change a 503 that says how to find out, if it was %s',
    async (outcome) => {
      const name = randomUUID()
      if (outcome === 'committed') isLost = isWrite
      else isAway = isWrite
      const answer = await call('POST', 'groups', { name, permissions: [], members: [] })
      isLost = () => false
      isAway = () => false
      // A repeated write finds that an earlier attempt was committed, and is a success or a conflict then.
      if (outcome === 'lost') {
        expect(answer).toMatchObject({
          status: 503,
          body: { code: 'temporarily_unavailable', reason: 'outcome_unknown' },
        })
        expect(answer.headers.get('retry-after')).toBeNull()
        expect(answer.body.detail).toContain('Read what the request is about')
      }
      expect(answer.status).not.toBe(500)
      const groups = (await call('GET', 'groups?limit=100')).body as { name: string }[]
      expect(groups.filter((group) => group.name === name).length).toBeLessThanOrEqual(1)
    },
  )
})

describe('a time limit', () => {
  const late = Object.assign(new Error('late'), { name: 'TimeoutError' })
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    'says of %s what may have happened',
    (_, operation) => {
      const refusal = toUnanswered(late, operation)
      if (!(refusal instanceof AppError)) throw new Error('the error is internal')
      const { reason, headers } = refusal.details
      expect([reason, headers?.['retry-after'] !== undefined]).toEqual(
        answersHead(operation) ? ['out_of_time', true] : ['outcome_unknown', false],
      )
    },
  )

  it('is distinguished from a bug, which stays internal', () => {
    const bug = new TypeError('x is not a function')
    expect(toUnanswered(bug, undefined)).toBe(bug)
    expect(toUnanswered(new ConnectionError('no response'), undefined)).toBeInstanceOf(AppError)
    const ofAws = Object.assign(new Error('KMS'), { $fault: 'server' })
    expect(toUnanswered(ofAws, undefined)).toBeInstanceOf(AppError)
    const refused = Object.assign(new Error('AccessDenied'), { $fault: 'client' })
    expect(toUnanswered(refused, undefined)).toBe(refused)
  })
})
