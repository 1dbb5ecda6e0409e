import { afterAll, describe, expect, it } from 'vitest'
import { addPerson, addSignedIn } from '../support/people.ts'
import { sendBytes, sendExactly } from '../support/raw-http.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const port = Number(new URL(service.url).port)
afterAll(async () => {
  // The service still works after everything that was sent.
  expect((await service.client('GET', '/api/2/users/me', { bearer: admin.bearer })).status).toBe(200)
})

const me = '/api/2/users/me'
const gatewayAnswer = (status: number, message: string) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
})

describe('a request hidden in another one', () => {
  it.each([
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 5\r\n\r\n'],
    ['length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['an unknown coding', 'Transfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n'],
    ['a space before the colon', 'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
    ['a bare line feed', 'X-A: 1\nContent-Length: 0\r\n\r\n'],
  ])('by %s never runs', async (_, fields) => {
    const { user } = await addPerson(service)
    const hidden = `DELETE /api/2/users/${user.id} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${admin.bearer}\r\n\r\n`
    const raw = await sendBytes(port, `POST /api/2/auth/login HTTP/1.1\r\nHost: a\r\n${fields}${hidden}`)
    expect(raw).toMatch(/^HTTP\/1\.1 400 /)
    const found = await service.client('GET', `/api/2/users/${user.id}`, { bearer: admin.bearer })
    expect(found.status).toBe(200)
  })
})

describe('a request that is too large', () => {
  it('is refused by the gateway if its cookies have more than 10,240 bytes', async () => {
    const cookie = Array.from({ length: 60 }, (_, at) => `other-product-${at}=${'x'.repeat(160)}`).join('; ')
    const answer = await sendExactly(port, me, {
      headers: { cookie, authorization: `Bearer ${admin.bearer}` },
    })
    expect(answer).toMatchObject(gatewayAnswer(431, 'Request Header Fields Too Large'))
  })

  it('is refused by the function up to 6 MB, and by the gateway beyond', async () => {
    const post = (bytes: number) =>
      sendExactly(port, '/api/2/auth/login', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: 'x'.repeat(bytes),
      })
    expect(JSON.parse((await post(5_000_000)).body)).toMatchObject({ code: 'payload_too_large' })
    for (const bytes of [7_000_000, 12_000_000])
      expect(await post(bytes)).toMatchObject(gatewayAnswer(413, 'Request Entity Too Large'))
  })

  it('is served if only its path is long', async () => {
    const answer = await sendExactly(port, `${me}/${'x'.repeat(8192)}`)
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'not_found' })
  })
})

it('a malformed escape in a path is refused by the gateway', async () => {
  for (const path of ['/api/2/users/%', '/%zz', '/api/2/users/%25zz'])
    expect(await sendExactly(port, path)).toMatchObject(gatewayAnswer(400, 'Bad Request'))
})
