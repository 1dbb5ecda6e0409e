import { afterEach, expect, it } from 'vitest'
import { type Gateway, startGateway } from '../../local/gateway/gateway.ts'
import { clientOf } from '../support/client.ts'
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
