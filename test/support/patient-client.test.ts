import { afterEach, expect, it } from 'vitest'
import { type Gateway, startGateway } from '../../local/gateway/gateway.ts'
import { gatewayAnswers } from '../../local/gateway/respond.ts'
import { clientOf } from './client.ts'
import { makePatient } from './patient-client.ts'

let gateway: Gateway
afterEach(() => gateway.close())

const start = async (statusCode: number, throttle = { rateLimit: 5, burstLimit: 1 }) => {
  gateway = await startGateway({
    port: 0,
    routes: [{ routeKey: 'GET /items', target: 'items' }],
    invoke: async () => ({
      statusCode,
      headers: { 'content-type': 'application/json' },
      body: '{"code":"too_many_requests"}',
    }),
    throttle,
  })
}
const sendAll = async (client = clientOf(gateway.url)) => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => client('GET', '/items')))
  return answers.map(({ status }) => status)
}

it('gets all requests through a throttled stage', async () => {
  await start(200)
  expect(await sendAll()).toContain(429)
  expect(await sendAll(makePatient(clientOf(gateway.url)))).toEqual(Array(12).fill(200))
})

it('returns what the service itself limits', async () => {
  await start(429, { rateLimit: 1000, burstLimit: 1000 })
  expect(await sendAll(makePatient(clientOf(gateway.url)))).toEqual(Array(12).fill(429))
})

/** A client whose first answer is one of the gateway. */
const answerOnce = (name: keyof typeof gatewayAnswers) => {
  const { status, message } = gatewayAnswers[name]
  const answers = [
    { status, body: { message } },
    { status: 200, body: {} },
  ]
  const headers = new Headers({ 'content-type': 'application/json' })
  return makePatient(async (method) => {
    const { status, body } = answers.shift() ?? { status: 500, body: {} }
    const given = method === 'HEAD' ? { text: '', body: undefined } : { text: JSON.stringify(body), body }
    return { headers, cookies: [], status, ...given }
  })
}

it.each([
  ['tooSlow', 'POST', 200],
  ['unavailable', 'GET', 200],
  ['unavailable', 'HEAD', 200],
  ['unavailable', 'POST', 503],
  ['failed', 'GET', 500],
] as const)('after an answer %s to %s, the client gets %i', async (name, method, status) => {
  expect((await answerOnce(name)(method, '/items')).status).toBe(status)
})
