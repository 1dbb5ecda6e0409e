import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { openTable } from '../../lib/store/engine/open-table.ts'

/** A stub of DynamoDB and of the credentials of a container, which change with each request for them. */
const calls: { readonly headers: IncomingMessage['headers']; readonly body: string }[] = []
let renewals = 0
const server: Server = createServer(async (request, response) => {
  const body = await text(request)
  if (request.method === 'GET') {
    renewals++
    const Expiration = new Date(Date.now() + 1000).toISOString()
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ AccessKeyId: `key${renewals}`, SecretAccessKey: 's', Token: 'token', Expiration }),
    )
    return
  }
  calls.push({ headers: request.headers, body })
  response.setHeader('content-type', 'application/x-amz-json-1.0').end('{}')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => {
  vi.unstubAllEnvs()
  server.close()
})
beforeEach(() => {
  calls.length = 0
})

const signatureOf = (at: number): string => calls[at]?.headers.authorization ?? ''

it('signs each call to DynamoDB by its content', async () => {
  const table = openTable({ tableName: 'table', endpoint })
  for (const pk of ['a', 'b']) await table.get({ pk, sk: 'x' })
  expect(calls.map(({ body }) => JSON.parse(body).Key.pk.S)).toEqual(['a', 'b'])
  for (const at of [0, 1]) {
    expect(signatureOf(at)).toMatch(
      /^AWS4-HMAC-SHA256 Credential=local\/.+SignedHeaders=.*host.*, Signature=[0-9a-f]{64}$/,
    )
  }
  expect(signatureOf(0).slice(-64)).not.toBe(signatureOf(1).slice(-64))
  expect(calls[0]?.headers).not.toHaveProperty('user-agent')
})

it('signs with renewed credentials', async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, undefined)
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${endpoint}/credentials`)
  const table = openTable({ tableName: 'table', endpoint })
  const keys: (string | undefined)[] = []
  for (const pk of ['a', 'b', 'c']) {
    await table.get({ pk, sk: 'x' })
    keys.push(/Credential=(\w+)/.exec(signatureOf(calls.length - 1))?.[1])
    // The SDK renews credentials that are about to expire, while a call is still made with the present ones.
    await vi.waitUntil(() => renewals > keys.length)
  }
  expect(new Set(keys).size).toBe(3)
  vi.unstubAllEnvs()
})

it('names the user of the embedded engine without a signature', async () => {
  const table = openTable({ tableName: 'table', endpoint, isEmbeddedEngine: true })
  await table.get({ pk: 'a', sk: 'x' })
  expect(signatureOf(0)).toMatch(/Credential=local\/.+Signature=0$/)
})
