import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAuditCompletion } from '../../lib/accounts/events/clock.records.ts'
import { putAuditEvent } from '../../lib/accounts/events/records.ts'
import { findAccount } from '../../lib/kernel/table/account.ts'
import { openTable } from '../../lib/kernel/table/open-table.ts'
import { ConnectionError, createPost } from '../../lib/kernel/table/post.ts'

/** A stub of DynamoDB and of the credentials of a container, which change with each request for them. */
const calls: { readonly headers: IncomingMessage['headers']; readonly body: string }[] = []
type Respond = (response: ServerResponse) => unknown
/** How the next calls are answered. All others receive an empty object. */
const answers: Respond[] = []
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
  const respond: Respond = answers.shift() ?? (() => response.end('{}'))
  respond(response.setHeader('content-type', 'application/x-amz-json-1.0'))
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

/** Computes the signature that AWS expects of a call (Signature Version 4, "Create a signed AWS API request"). */
const expectedSignature = ({ headers, body }: (typeof calls)[number], secret: string): string => {
  const [, day = '', region = ''] = /Credential=[^/]+\/(\d+)\/([^/]+)/.exec(headers.authorization ?? '') ?? []
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? []
  const hash = (content: string) => createHash('sha256').update(content).digest('hex')
  const lines = names.split(';').map((name) => `${name}:${headers[name]}\n`)
  const canonical = ['POST', '/', '', lines.join(''), names, hash(body)].join('\n')
  const scope = `${day}/${region}/dynamodb/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n')
  const key = scope
    .split('/')
    .reduce<string | Buffer>(
      (last, part) => createHmac('sha256', last).update(part).digest(),
      `AWS4${secret}`,
    )
  return createHmac('sha256', key).update(toSign).digest('hex')
}

it('signs each call to DynamoDB by its content', async () => {
  const table = openTable({ tableName: 'table', endpoint })
  for (const pk of ['a', 'b']) await table.get({ pk, sk: 'x' })
  expect(calls.map(({ body }) => JSON.parse(body).Key.pk.S)).toEqual(['a', 'b'])
  for (const at of [0, 1]) {
    expect(signatureOf(at)).toMatch(
      /^AWS4-HMAC-SHA256 Credential=local\/.+SignedHeaders=.*host.*, Signature=[0-9a-f]{64}$/,
    )
  }
  expect(calls.map(({ headers }) => headers.authorization?.slice(-64))).toEqual(
    calls.map((call) => expectedSignature(call, process.env['AWS_SECRET_ACCESS_KEY'] ?? '')),
  )
  expect(signatureOf(0).slice(-64)).not.toBe(signatureOf(1).slice(-64))
})

it('names itself in each call', async () => {
  await openTable({ tableName: 'table', endpoint }).get({ pk: 'a', sk: 'x' })
  expect(calls[0]?.headers['user-agent']).toMatch(/^latchkey\/\d+\.\d+\.\d+ md\/nodejs#24\.\d+\.\d+/)
})

it.each([
  ['eu-central-1', {}, 'dynamodb.eu-central-1.amazonaws.com'],
  ['us-gov-west-1', {}, 'dynamodb.us-gov-west-1.amazonaws.com'],
  ['cn-north-1', {}, 'dynamodb.cn-north-1.amazonaws.com.cn'],
  ['eusc-de-east-1', {}, 'dynamodb.eusc-de-east-1.amazonaws.eu'],
  ['us-iso-east-1', {}, 'dynamodb.us-iso-east-1.c2s.ic.gov'],
  ['us-east-1', { AWS_USE_FIPS_ENDPOINT: 'true' }, 'dynamodb-fips.us-east-1.amazonaws.com'],
  ['us-east-1', { AWS_USE_DUALSTACK_ENDPOINT: 'true' }, 'dynamodb.us-east-1.api.aws'],
  ['us-east-1', { AWS_ENDPOINT_URL: 'https://table.example.com' }, 'table.example.com'],
])('calls the endpoint of %s with %j', async (region, variables, host) => {
  vi.stubEnv('AWS_REGION', region)
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  expect((await findAccount()).url.host).toBe(host)
  vi.unstubAllEnvs()
})

it('signs with renewed credentials', async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, undefined)
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${endpoint}/credentials`)
  const table = openTable({ tableName: 'table', endpoint })
  const keys = new Set<string | undefined>()
  // Credentials that are about to expire are renewed, while calls are still made with the present ones.
  await vi.waitUntil(async () => {
    await table.get({ pk: 'a', sk: 'x' })
    return keys.add(/Credential=(\w+)/.exec(signatureOf(calls.length - 1))?.[1]).size === 3
  })
  vi.unstubAllEnvs()
})

it('names the user of the embedded engine without a signature', async () => {
  const table = openTable({ tableName: 'table', endpoint, isEmbeddedEngine: true })
  await table.get({ pk: 'a', sk: 'x' })
  expect(signatureOf(0)).toMatch(/Credential=local\/.+Signature=0$/)
})

it('searches for credentials again after a failed search', async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, undefined)
  for (const name of ['HOME', 'AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE']) vi.stubEnv(name, '/nothing')
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  const table = openTable({ tableName: 'table', endpoint })
  await expect(table.get({ pk: 'a', sk: 'x' })).rejects.toThrow(/credentials/i)
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${endpoint}/credentials`)
  await table.get({ pk: 'a', sk: 'x' })
  vi.unstubAllEnvs()
  expect(calls).toHaveLength(1)
})

describe('a call whose response is', () => {
  const read = () => openTable({ tableName: 'table', endpoint }).get({ pk: 'a', sk: 'x' })
  const item = JSON.stringify({ Item: { pk: { S: 'a' }, sk: { S: 'x' } } })

  it.each<[string, Respond]>([
    ['no JSON', (response) => response.end('<html>')],
    [
      'an error of DynamoDB itself',
      (response) => response.writeHead(500).end('{"__type":"InternalServerError"}'),
    ],
    ['a page of a proxy', (response) => response.writeHead(502).end('<html>Bad gateway</html>')],
    [
      'a refusal because of the load',
      (response) =>
        response
          .writeHead(400)
          .end('{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"}'),
    ],
  ])('%s is repeated', async (_, respond) => {
    answers.push(respond, respond, (response) => response.end(item))
    expect(await read()).toEqual({ pk: 'a', sk: 'x' })
    expect(calls).toHaveLength(3)
  })

  it.each<[string, Respond]>([
    ['lost', (response) => response.destroy()],
    [
      'lost in the middle',
      (response) => {
        response.writeHead(200, { 'content-length': '500' }).write(item)
        setTimeout(() => response.destroy(), 20)
      },
    ],
  ])('%s fails after four attempts', async (_, respond) => {
    answers.push(respond, respond, respond, respond)
    await expect(read()).rejects.toThrow(ConnectionError)
    expect(calls).toHaveLength(4)
  })

  it('a refusal for good is reported once, with the name that the API gives it', async () => {
    answers.push((response) =>
      response
        .writeHead(400)
        .end('{"__type":"com.amazon.coral.validate#ValidationException","message":"no"}'),
    )
    await expect(read()).rejects.toMatchObject({ name: 'ValidationException', message: 'no', attempts: 1 })
    expect(calls).toHaveLength(1)
  })
})

it.each<[string, Respond]>([
  ['before the response', () => {}],
  ['within the response', (response) => response.writeHead(200).write('{')],
])('gives up waiting for a server that stops %s', async (_, respond) => {
  answers.push(respond)
  const post = createPost(new URL(endpoint), { connectMs: 1000, totalMs: 50 })
  await expect(post({}, '')).rejects.toThrow('no response within 50 ms')
})

it('gives audit events the time of DynamoDB if the clock is far behind', async () => {
  const at = Date.parse('2026-11-20T10:00:00.000Z')
  const write = async (ahead: number) => {
    const complete = createAuditCompletion({ tableName: 'table', retentionMs: 1000, personalMs: 500 })
    const table = openTable({ tableName: 'table', endpoint, complete })
    answers.push((response) => response.setHeader('date', new Date(at + ahead).toUTCString()).end('{}'))
    await table.get({ pk: 'a', sk: 'x' })
    const event = {
      event: 'login.succeeded',
      user: 7,
      actor: 7,
      address: '192.0.2.1',
      requestId: 'r',
    } as const
    await putAuditEvent(table, { ...event, at, target: null, outcome: 'succeeded' })
    return JSON.parse(calls.at(-1)?.body ?? '').Item
  }
  expect(await write(30_000)).toMatchObject({
    at: { N: String(at) },
    sk: { S: expect.stringMatching(/^2026-11-20T10:00:00/) },
  })
  const moved = await write(600_000)
  expect(moved).toMatchObject({ at: { N: String(at + 600_000) }, clockAt: { N: String(at) } })
  expect(moved.sk.S).toMatch(/^2026-11-20T10:10:00\.000Z#/)
  expect(moved.lsk.S).toBe(moved.sk.S)
  expect(moved.expires_at.N).toBe(String((at + 601_000) / 1000))
})
