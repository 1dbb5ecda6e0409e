import { expect, it } from 'vitest'
import { type RawHeaders, sendRaw } from '../support/addressed-client.ts'
import { useService } from '../support/use-service.ts'

/* While DNS names move to the front door, the service accepts direct requests as well. */

const secret = 'current-secret-of-the-front-door-0123456789'
const service = await useService({ ORIGIN_SECRETS: secret, ALLOW_DIRECT_REQUESTS: 'true' })

const send = async (headers: RawHeaders) => {
  const answer = await sendRaw('127.7.7.7', `${service.url}/api/2/users/me`, { headers })
  const line = service.log.findLast((one) => one.includes(String(answer.headers['x-request-id'])))
  return { status: answer.status, address: JSON.parse(line ?? '{}').address }
}
const viewer: RawHeaders = ['CloudFront-Viewer-Address', '203.0.113.7:46532']

it('serves direct requests, and believes none of their headers', async () => {
  expect(await send([])).toEqual({ status: 401, address: '127.7.7.7' })
  expect(await send(viewer)).toEqual({ status: 401, address: '127.7.7.7' })
})

it('serves requests through the front door with the address of the viewer', async () => {
  expect(await send(['Latchkey-Origin-Secret', secret, ...viewer])).toEqual({
    status: 401,
    address: '203.0.113.7',
  })
})

it('refuses a wrong secret, which only an attacker sends', async () => {
  for (const wrong of ['', 'wrong', `${secret},${secret}`])
    expect((await send(['Latchkey-Origin-Secret', wrong, ...viewer])).status).toBe(403)
})
