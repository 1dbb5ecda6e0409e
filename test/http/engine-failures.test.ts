import { afterAll, beforeEach, expect, it } from 'vitest'
import {
  getEngineFailure,
  noteEngineOutcome,
  watchEngineFailures,
} from '../../lib/kernel/table/engine-failure.ts'
import { startProxy, type TableCall } from '../infra/dynamodb-proxy.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addPerson, addSignedIn, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

let message: string | undefined
let isFailing: (call: TableCall) => boolean
const reported: string[] = []
const endpoint = process.env['DYNAMODB_ENDPOINT'] ?? ''
const proxy = closeAfterTests(
  await startProxy({
    endpoint,
    refuse: (call) =>
      message === undefined || !isFailing(call)
        ? undefined
        : { status: 500, body: JSON.stringify({ __type: 'InternalServerError', message }) },
  }),
)
watchEngineFailures((sentence) => reported.push(sentence))
const service = await useService({ DYNAMODB_ENDPOINT: proxy.url })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const isWrite = ({ action }: TableCall) => /^(Put|Update|Transact)/.test(action)
const full = 'commit failed (backend: database or disk is full) and rollback also failed'
const damaged = 'storage error: database disk image is malformed'
beforeEach(() => {
  message = undefined
  isFailing = () => true
})
afterAll(async () => {
  process.env['DYNAMODB_ENDPOINT'] = endpoint
})

const check = (query = '?deep=true') =>
  service.client('GET', `/api/2/health${query}`, { bearer: admin.bearer })

it('a full disk is reported once, shown by the health check, and over after the next write', async () => {
  const person = await addPerson(service)
  isFailing = isWrite
  message = full
  const body = { username: person.user.username, password: person.password }
  for (let count = 0; count < 2; count++) {
    const refused = await service.client('POST', '/api/2/auth/login', { body })
    expect(refused).toMatchObject({
      status: 503,
      body: { code: 'temporarily_unavailable', reason: 'storage_full' },
    })
    expect(refused.headers.get('retry-after')).toBe('30')
  }
  expect(reported).toEqual([expect.stringMatching(/^The disk with the data is full\./)])
  const failing = await check()
  expect(failing).toMatchObject({ status: 503, body: { status: 'failing' } })
  expect(failing.body.checks[0]).toMatchObject({ name: 'table', status: 'failing', detail: reported[0] })
  message = undefined
  await signIn(service, person)
  expect((await check()).body.checks[0]).toMatchObject({ status: 'ok', detail: null })
})

it('a message with the text of a request is no failure', async () => {
  expect(getEngineFailure()).toBeUndefined()
  noteEngineOutcome({ error: 'The conditional request failed' })
  expect(getEngineFailure()).toBeUndefined()
})

it('a damaged file is shown by the health check, although no caller can be authenticated', async () => {
  message = damaged
  expect((await service.client('GET', '/api/2/users/me', { bearer: admin.bearer })).status).toBe(503)
  const answer = await check()
  expect(answer).toMatchObject({ status: 503, body: { status: 'failing' } })
  expect(answer.body.checks).toMatchObject([
    { name: 'table', status: 'failing', detail: expect.stringMatching(/^The database file is damaged\./) },
  ])
  expect(reported).toHaveLength(2)
  expect(await check('')).toMatchObject({ status: 200, body: { status: 'ok' } })
})
