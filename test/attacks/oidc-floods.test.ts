import { afterAll, describe, expect, it } from 'vitest'
import { clientFrom } from '../support/addressed-client.ts'
import { flipBit } from '../support/flip-bit.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  readRedirect,
  readReturnPath,
} from '../support/oidc.ts'
import { addSignedIn, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { countWrites } from '../support/write-counts.ts'

/* What somebody can store, spend or break by starting authorizations. */

const limits = { authorizationStarts: 120, authorizationsPerSession: 6 }
const writes = countWrites()
const service = await useService({
  RATE_LIMITS: Object.entries(limits)
    .map(([name, max]) => `${name}=${max}/600`)
    .join(', '),
})
const person = await addSignedIn(service)
const app = await addRelyingParty(service)
afterAll(() => writes.stop())

const { challenge } = createPkce()
type Parameters = Readonly<Record<string, string>>
const authorize = (parameters: Parameters = {}, cookie = '') =>
  service.client('GET', `/oauth2/authorize?${buildAuthorization(app, challenge, parameters)}`, {
    headers: { accept: 'text/html', cookie },
  })
const resume = (path: string, cookie: string) =>
  service.client('GET', path, { headers: { accept: 'text/html', cookie } })

const start = async (parameters: Parameters = {}, cookie = '') => {
  const { headers, cookies } = await authorize(parameters, cookie)
  const [browser = '', interaction = ''] = cookies.map((text) => text.split(';')[0] ?? '')
  return { path: readReturnPath({ headers }), browser, interaction, cookies }
}

it.each([
  ['state', 2048],
  ['nonce', 512],
  ['login_hint', 1024],
  ['acr_values', 1024],
] as const)('%s is refused above %i characters, with an error for the client', async (name, most) => {
  expect(readRedirect(await authorize({ [name]: 'x'.repeat(most) }))).not.toHaveProperty('error')
  const answer = await authorize({ [name]: 'x'.repeat(most + 1) }, `latchkey=${person.bearer}`)
  expect(readRedirect(answer)).toMatchObject({ error: 'invalid_request', iss: service.url })
  // Too long to return to after a sign-in, so a page says it.
  const anonymous = await authorize({ [name]: 'x'.repeat(most + 1) })
  expect([anonymous.status, anonymous.headers.get('location')]).toEqual(
    most > 1000 ? [400, null] : [303, expect.stringContaining('return_to')],
  )
})

it('parameters that no cookie holds are refused with a page', async () => {
  const parameters = { state: 's'.repeat(2048), nonce: 'n'.repeat(512), acr_values: 'a'.repeat(1024) }
  const answer = await authorize(parameters)
  expect(answer.cookies).toEqual([])
  expect(answer.status).toBe(400)
  // Nothing has to wait for a user who is signed in.
  const signedIn = await authorize(parameters, `latchkey=${person.bearer}`)
  expect(readRedirect(signedIn)).toHaveProperty('code')
})

it('one browser keeps a fixed number of authorizations', async () => {
  const { browser } = await start()
  const paths = new Set<string>()
  for (let at = 0; at < 60; at++) paths.add((await start({}, browser)).path.split('?')[0] ?? '')
  expect(paths.size).toBeLessThanOrEqual(32)
})

it.each<[string, Parameters]>([
  ['an address that is not registered', { redirect_uri: 'https://attacker.example/cb' }],
  ['no PKCE', { code_challenge: '' }],
  ['a client that does not exist', { client_id: '1-000000000000000000000000' }],
  ['a scope that the client may not have', { scope: 'openid nothing' }],
  ['an address of parameters that nobody pushed', { request_uri: 'urn:ietf:params:oauth:request_uri:AAAA' }],
  ['a refused request without a page', { prompt: 'none', redirect_uri: 'https://attacker.example/cb' }],
])('refused authorizations of strangers count, with %s', async (name, parameters) => {
  const stranger = clientFrom(`127.77.${name.length}.1`, service.url)
  const ask = async (more: Parameters = parameters) => {
    const query = buildAuthorization(app, challenge, more)
    return (await stranger('GET', `/oauth2/authorize?${query}`)).status
  }
  const statuses = await Promise.all(Array.from({ length: limits.authorizationStarts }, () => ask()))
  expect(statuses).not.toContain(429)
  expect([await ask(), await ask({})]).toEqual([429, 429])
  // The answer that a page of a product expects about a stranger does not count, and comes at any time.
  const silent = { prompt: 'none' }
  expect([await ask(silent), await ask(silent)]).toEqual([303, 303])
})

describe('a cookie of an authorization', () => {
  it('is worth nothing if it was changed, or belongs to another browser or address', async () => {
    const own = await start()
    const other = await start()
    const session = `latchkey=${person.bearer}`
    const [name = '', value = ''] = own.interaction.split('=')
    const [kid = '', head = '', , iv = '', text = '', tag = ''] = value.split('.')
    const none = Buffer.from(JSON.stringify({ alg: 'none', enc: 'A256GCM' })).toString('base64url')
    const plain = Buffer.from(JSON.stringify({ id: 'x', createdAt: Date.now(), parameters: {} })).toString(
      'base64url',
    )
    const changed = [
      '',
      'x',
      `${value}x`,
      value.slice(0, -1),
      value.slice(kid.length + 1),
      [kid, head, '', iv, flipBit(text), tag].join('.'),
      [kid, head, '', iv, text, flipBit(tag)].join('.'),
      [kid, flipBit(head), '', iv, text, tag].join('.'),
      [kid, head, '', iv, text, ''].join('.'),
      [kid, none, '', '', plain, ''].join('.'),
      [flipBit(kid), head, '', iv, text, tag].join('.'),
      ['__proto__', head, '', iv, text, tag].join('.'),
      ['constructor', head, '', iv, text, tag].join('.'),
      [kid, head, '', '', '', ''].join('.'),
      `${kid}.${'A'.repeat(7000)}`,
      `${kid}....`,
    ]
    for (const forged of changed) {
      const answer = await resume(own.path, `${session}; ${own.browser}; ${name}=${forged}`)
      expect([forged.slice(0, 80), answer.status]).toEqual([forged.slice(0, 80), 400])
    }
    for (const [path, browser, interaction] of [
      [own.path, other.browser, own.interaction],
      [own.path, own.browser, other.interaction],
      [other.path, own.browser, own.interaction],
      [own.path, '', own.interaction],
      [own.path, own.browser, ''],
      [own.path, own.browser, `${own.interaction}; ${own.interaction}`],
      ['/oauth2/interaction/__proto__', own.browser, own.interaction],
    ] as const)
      expect((await resume(path, `${session}; ${browser}; ${interaction}`)).status).toBe(400)
    const good = await resume(own.path, `${session}; ${own.browser}; ${own.interaction}`)
    expect(readRedirect(good)).toHaveProperty('code')
  })

  it('gives one code to any number of requests', async () => {
    const { path, browser, interaction } = await start()
    const bearer = await signIn(service, person)
    const cookie = `latchkey=${bearer}; ${browser}; ${interaction}`
    const answers = await Promise.all(Array.from({ length: 6 }, () => resume(path, cookie)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect((await resume(path, cookie)).status).not.toBe(303)
  })
})

it('one session gets a limited number of codes, and other sessions of its user get theirs', async () => {
  const [first, second] = [await signIn(service, person), await signIn(service, person)]
  const statuses: number[] = []
  for (let at = 0; at < limits.authorizationsPerSession + 2; at++)
    statuses.push((await authorize({}, `latchkey=${first}`)).status)
  expect(statuses.filter((status) => status === 303)).toHaveLength(limits.authorizationsPerSession)
  expect(statuses.slice(-2)).toEqual([429, 429])
  expect(readRedirect(await authorize({}, `latchkey=${second}`))).toHaveProperty('code')
})

it('a flood of strangers writes nothing but one counter, and is stopped', async () => {
  // The reader of the log sees the first refusal.
  await authorize()
  writes.take()
  const answers: number[] = []
  for (let at = 0; at < 160; at++) answers.push((await authorize({ state: 'x'.repeat(2000) })).status)
  expect(new Set(answers)).toEqual(new Set([303, 429]))
  expect(answers.slice(-1)).toEqual([429])
  const counts = writes.take()
  expect(counts.filter(({ partition }) => partition.startsWith('oidc'))).toEqual([])
  const total = counts.reduce((sum, { writes: count }) => sum + count, 0)
  expect(total).toBeLessThanOrEqual(limits.authorizationStarts + 10)
  const refused = await authorize()
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.text).not.toContain('undefined')
  // Users who are signed in need no page.
  expect(readRedirect(await authorize({}, `latchkey=${await signIn(service, person)}`))).toHaveProperty(
    'code',
  )
})
