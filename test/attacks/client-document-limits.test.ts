import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { agentRedirectUri, allowAgents, startDocumentHost } from '../support/document-host.ts'
import { buildAuthorization, createPkce } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Strangers name documents that do not exist, so that no real agent can be read any more. The limits are the usual ones. */

const minute = 60_000
vi.useFakeTimers({ toFake: ['Date'] })
const host = closeAfterTests(await startDocumentHost())
const service = await useService({
  ...{ ALLOW_PRIVATE_METADATA: 'true' },
  TRUSTED_PROXIES: '127.0.0.1',
})
await allowAgents(service, host.host)
afterAll(() => vi.useRealTimers())
beforeEach(() => {
  // The counts of the test before are over.
  vi.setSystemTime(Date.now() + 30 * minute)
  host.reads.clear()
})

const { challenge } = createPkce()
const buildQuery = (clientId: string, overrides: Readonly<Record<string, string>> = {}) =>
  buildAuthorization(
    { client: { clientId, redirect_uris: [agentRedirectUri], type: 'public' }, secret: '' },
    challenge,
    { scope: 'openid', nonce: undefined, ...overrides },
  )
interface Sender {
  /** The network that the request comes from. */
  readonly from?: string
  readonly bearer?: string
}
const authorize = (
  clientId: string,
  { from = '198.51.100.1', bearer }: Sender,
  overrides: Readonly<Record<string, string>> = {},
) =>
  service.client('GET', `/oauth2/authorize?${buildQuery(clientId, overrides)}`, {
    headers: {
      ...{ accept: 'text/html', 'x-forwarded-for': from },
      ...(bearer ? { cookie: `latchkey=${bearer}` } : {}),
    },
  })
const push = (clientId: string, from: string) =>
  service.client('POST', '/oauth2/par', {
    raw: String(buildQuery(clientId)),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from },
  })
const inventAddress = () => `${host.url}/${randomUUID()}.json`
const listNetworks = (count: number) =>
  Array.from({ length: count }, (_, at) => `203.0.${at >> 7}.${at & 127}`)
const countReads = () => [...host.reads.values()].reduce((sum, reads) => sum + reads, 0)
/** Sends requests of strangers in groups, and returns what they were answered. */
const flood = async (senders: readonly string[], send: (from: string) => Promise<{ status: number }>) => {
  const statuses = new Set<number>()
  for (let at = 0; at < senders.length; at += 20)
    for (const { status } of await Promise.all(senders.slice(at, at + 20).map(send))) statuses.add(status)
  return statuses
}
const signIn = async () => (await addSignedIn(service)).bearer
/** Whether a person who is signed in is asked about an agent. */
const isAsked = async (clientId: string, sender: Sender) => {
  const { status, headers } = await authorize(clientId, sender)
  return status === 303 && new URL(headers.get('location') ?? '').pathname.startsWith('/oauth2/interaction/')
}

it('one network that invents documents stops no one else, and causes few requests', async () => {
  const senders = Array.from({ length: 80 }, () => '203.0.113.9')
  await flood(senders, (from) => authorize(inventAddress(), { from }))
  expect(countReads()).toBe(20)
  const agent = host.describe('/new.json')
  const { status, headers } = await authorize(agent, { from: '198.51.100.2' })
  // The sign-in page is that of the agent.
  const page = new URL(headers.get('location') ?? '')
  expect([status, page.searchParams.get('return_to')]).toEqual([
    303,
    expect.stringContaining('/interaction/'),
  ])
})

it('many networks that invent documents do not stop a new agent of a person who signs in', async () => {
  await flood(listNetworks(140), (from) => authorize(inventAddress(), { from }))
  expect(countReads()).toBe(60)
  const agent = host.describe('/stormy.json')
  const { headers } = await authorize(agent, { from: '198.51.100.2' })
  const page = new URL(headers.get('location') ?? '')
  const returnTo = new URL(page.searchParams.get('return_to') ?? '')
  expect([page.pathname, returnTo.pathname]).toEqual(['/', '/oauth2/authorize'])
  expect(host.reads.get('/stormy.json')).toBeUndefined()
  // After the sign-in, the same authorization starts again.
  const again = await service.client('GET', returnTo.pathname + returnTo.search, {
    headers: { accept: 'text/html', cookie: `latchkey=${await signIn()}` },
  })
  expect(new URL(again.headers.get('location') ?? '').pathname).toMatch(/^\/oauth2\/interaction\//)
})

it('pushed requests of strangers do not stop it either, and end with 429', async () => {
  const statuses = await flood(listNetworks(140), (from) => push(inventAddress(), from))
  expect([...statuses].sort()).toEqual([401, 429])
  expect(countReads()).toBe(60)
  const bearer = await signIn()
  expect(await isAsked(host.describe('/pushed.json'), { bearer })).toBe(true)
})

it('a silent request that cannot be read gets an error, and leads nowhere', async () => {
  await flood(listNetworks(80), (from) => authorize(inventAddress(), { from }))
  const { status, headers } = await authorize(inventAddress(), { from: '198.51.100.9' }, { prompt: 'none' })
  expect([status, headers.has('location')]).toEqual([429, false])
})

it('one user who invents documents stops no one else', async () => {
  const bearer = await signIn()
  const senders = listNetworks(60)
  await flood(senders, (from) => authorize(inventAddress(), { from, bearer }))
  expect(countReads()).toBe(20)
  expect(await isAsked(host.describe('/other.json'), { bearer: await signIn() })).toBe(true)
})

it('a drip of strangers for two days does not stop an agent that is known', async () => {
  const agent = host.describe('/dripped.json')
  await authorize(agent, { from: '198.51.100.2' })
  for (let hours = 0; hours < 48; hours += 8) {
    vi.setSystemTime(Date.now() + 8 * 60 * minute)
    await flood(listNetworks(70), (from) => authorize(inventAddress(), { from }))
  }
  const reads = host.reads.get('/dripped.json') ?? 0
  expect(await isAsked(agent, { bearer: await signIn() })).toBe(true)
  expect(host.reads.get('/dripped.json')).toBe(reads + 1)
})

it('a host that does not answer is not asked again and again for a known agent', async () => {
  const agent = host.describe('/silent.json')
  await authorize(agent, { from: '198.51.100.2' })
  host.publish('/silent.json', (response) => response.destroy())
  vi.setSystemTime(Date.now() + 20 * minute)
  await flood(listNetworks(100), (from) => authorize(agent, { from }))
  expect(host.reads.get('/silent.json')).toBeLessThanOrEqual(61)
  expect(await isAsked(agent, { bearer: await signIn() })).toBe(true)
})
