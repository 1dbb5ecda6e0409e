import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type NetworkRule, networkRules } from '../../lib/kernel/limits/rate-limit-rules.ts'
import type { NetworkLimitName } from '../../lib/kernel/limits/rate-limit-subjects.ts'
import { clientFrom, loopback } from '../support/addressed-client.ts'
import { TestBrowser } from '../support/browser.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addRelyingParty, buildAuthorization, createPkce } from '../support/oidc.ts'
import { openCallback, startUpstream } from '../support/oidc-upstream.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { proveWork } from '../support/proof-of-work.ts'
import { addPublicConnection, newGoogleAccount } from '../support/public-upstream.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/*
 * One client behind a network uses up each limit of that network. People who signed in before in their browser still enter there, and a
 * proof of work admits the others, except where it would buy guesses.
 */

const names = Object.keys(networkRules) as NetworkLimitName[]
const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: names.map((name) => `${name}=${name === 'lookUpFailures' ? 10_000 : 4}/600`).join(','),
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const upstream = closeAfterTests(await startUpstream())
const google = await addPublicConnection(service, admin.bearer, upstream, { first_sign_in: 'create' })
const party = await addRelyingParty(service)
let person: SignedInPerson
let known: TestBrowser

/** Signs a person in with a browser in another network, so that only the browser is known. */
const openKnown = async (one: SignedInPerson): Promise<TestBrowser> => {
  const { username } = one.user
  const from = clientFrom(loopback(99), service.url)
  const answer = await from('POST', '/api/2/auth/login', {
    body: { username, password: one.password },
    headers: { origin: service.url },
  })
  expect(answer.status).toBe(200)
  const browser = new TestBrowser(service)
  browser.keep({ cookies: answer.cookies.filter((cookie) => cookie.includes('latchkey-device')) })
  expect(browser.cookie('latchkey-device')).toBeDefined()
  return browser
}

beforeAll(async () => {
  await storeSignInPolicy(service, { allow_email_codes: true })
  const policy = { bearer: admin.bearer, body: { mode: 'open' } }
  expect((await service.client('PUT', '/api/2/system/sign-up-policy', policy)).status).toBe(200)
  person = await addSignedIn(service)
  known = await openKnown(person)
})

/** Knocks at a door with a browser. Returns the last answer, with a problem body if it is refused. */
type Door = (browser: TestBrowser, proof?: string) => Promise<Answer>

const post =
  (path: string, build: () => object): Door =>
  (browser, proof) =>
    service.client('POST', `/api/2/auth/${path}`, {
      body: { ...build(), ...(proof && { proof }) },
      headers: { origin: service.url, cookie: browser.cookieHeader('/api/2/auth/x', 'same-origin', 'POST') },
    })
const getByScript = (path: string, browser: TestBrowser) =>
  service.client('GET', path, {
    headers: { cookie: browser.cookieHeader(path, 'none', 'GET'), 'sec-fetch-site': 'same-origin' },
  })
/** What the sign-in page does with the address that it was opened with. */
const askAgain = (browser: TestBrowser, answer: Answer): Promise<Answer> => {
  const start = new URL(answer.headers.get('location') ?? '').searchParams.get('start') ?? ''
  expect(start).toContain('prove=true')
  return getByScript(start, browser)
}
const start: Door = (browser, proof) =>
  getByScript(
    `${google.path}/start?return_to=/account${proof ? `&proof=${encodeURIComponent(proof)}` : ''}`,
    browser,
  )
const firstSignIn: Door = async (browser, proof) => {
  const query = proof ? `?prove=true&proof=${encodeURIComponent(proof)}` : ''
  // The limit of starts has a row of its own.
  await forget('samlStarts')
  const started = await browser.get(`${google.path}/start${query}`, 'same-origin')
  const location = started.headers.get('location') ?? ''
  expect(location, started.text).toContain(upstream.issuer)
  const answer = await openCallback(browser, upstream.authorize(location, newGoogleAccount()))
  const isAsked = (answer.headers.get('location') ?? '').includes('/?start=')
  return isAsked ? askAgain(browser, answer) : answer
}
const forget = async (name: NetworkLimitName) => {
  const { rateKey } = await import('../../lib/kernel/rates/rates.ts')
  const { table, config } = service.services
  await table.transact([{ delete: rateKey(config.rateLimits[name], '127.0.0.1') }])
}
const guess = post('login', () => ({ username: randomUUID(), password: 'a wrong one' }))

type ClosedBy<Rule extends NetworkRule> = {
  [Name in NetworkLimitName]: (typeof networkRules)[Name] extends Rule ? Name : never
}[NetworkLimitName]

/** A new limit of networks has a row here, or the types fail. */
const doors: Readonly<Record<ClosedBy<'proof' | 'known_browsers'>, { knock: Door; enter?: Door }>> = {
  addressFailures: {
    knock: guess,
    enter: post('login', () => ({ username: person.user.username, password: person.password })),
  },
  passkeyChallenges: { knock: post('passkeys/options', () => ({})) },
  resetRequestsPerAddress: { knock: post('reset-password/request', () => ({ username: randomUUID() })) },
  emailCodeRequestsPerAddress: { knock: post('email-code', () => ({ username: randomUUID() })) },
  signUpsPerAddress: { knock: post('sign-up', () => ({ email: `${randomUUID()}@example.com` })) },
  providerSignUpsPerNetwork: { knock: firstSignIn },
  samlStarts: { knock: start },
  signInRoutes: { knock: post('sign-in-route', () => ({ username: 'ada@example.com' })) },
  authorizationStarts: {
    knock: async (browser) => {
      const { challenge } = createPkce()
      return browser.get(`/oauth2/authorize?${buildAuthorization(party, challenge)}`, 'cross-site')
    },
  },
}

const rows = Object.entries(doors) as [keyof typeof doors, { knock: Door; enter?: Door }][]
describe.each(rows)('above %s', (name, { knock, enter = knock }) => {
  it('a known browser of the network enters, and a stranger proves work or waits', async () => {
    let refused: Answer | undefined
    for (let at = 0; at < 12 && refused?.status !== 429; at++) refused = await knock(new TestBrowser(service))
    expect(refused?.status).toBe(429)
    const stranger = new TestBrowser(service)
    expect((await knock(stranger)).status).toBe(429)
    const entered = await enter(known)
    expect(entered.status, entered.text).toBeLessThan(400)
    const again = await knock(stranger)
    expect(again.status).toBe(429)
    if (networkRules[name] === 'proof') {
      expect(again.body).toMatchObject({ reason: 'proof_required' })
      const admitted = await knock(stranger, await proveWork(again))
      expect(admitted.status, admitted.text).toBeLessThan(400)
    } else expect(again.body?.reason).toBeUndefined()
    await forget(name)
  })
})

describe('the share of a known browser', () => {
  const knock = doors.passkeyChallenges.knock
  const close = async () => {
    for (let at = 0; at < 6; at++) await knock(new TestBrowser(service))
    expect((await knock(new TestBrowser(service))).status).toBe(429)
  }

  it('is one of its user, however many browsers the user makes known', async () => {
    const one = await addSignedIn(service)
    const browsers = [await openKnown(one), await openKnown(one), await openKnown(one)]
    await close()
    const answers = []
    for (let at = 0; at < 24; at++) answers.push((await knock(browsers[at % 3] as TestBrowser)).status)
    expect(answers.filter((status) => status === 200)).toHaveLength(10)
    // Others are not shut out by it.
    expect((await knock(await openKnown(await addSignedIn(service)))).status).toBe(200)
  })

  it('is nothing for an invented cookie, or after the account was disabled', async () => {
    await close()
    const invented = new TestBrowser(service)
    invented.keep({ cookies: [`latchkey-device=${'A'.repeat(43)}; Path=/; SameSite=Lax`] })
    expect((await knock(invented)).status).toBe(429)
    const one = await addSignedIn(service)
    const browser = await openKnown(one)
    const path = `/api/2/users/${one.user.id}`
    const disabled = await service.client('PATCH', path, {
      bearer: admin.bearer,
      body: { is_enabled: false },
    })
    expect(disabled.status).toBe(200)
    expect((await knock(browser)).status).toBe(429)
  })
})

describe('what was refused', () => {
  it('does not count: sign-ups under a policy without any close nothing', async () => {
    await forget('signUpsPerAddress')
    const set = (mode: string) =>
      service.client('PUT', '/api/2/system/sign-up-policy', { bearer: admin.bearer, body: { mode } })
    expect((await set('off')).status).toBe(200)
    const statuses = new Set<number>()
    for (let at = 0; at < 30; at++)
      statuses.add((await doors.signUpsPerAddress.knock(new TestBrowser(service))).status)
    expect([...statuses]).toEqual([403])
    expect((await set('open')).status).toBe(200)
    expect((await doors.signUpsPerAddress.knock(new TestBrowser(service))).status).toBeLessThan(300)
  })

  it('does not count: starts of a connection that does not exist', async () => {
    await forget('samlStarts')
    for (let at = 0; at < 10; at++) {
      const answer = await service.client('GET', '/api/2/auth/oidc-connections/987654/start')
      expect(answer.status).toBe(404)
    }
    expect((await start(new TestBrowser(service))).status).toBe(303)
  })

  it('does not raise the price of the next proof, and neither do a hundred requests at once', async () => {
    await forget('passkeyChallenges')
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => doors.passkeyChallenges.knock(new TestBrowser(service))),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(4)
    const asked = await doors.passkeyChallenges.knock(new TestBrowser(service))
    expect(asked.body.challenge.parameters.cost).toBe(1000)
  })

  it('counts if it is a guess', async () => {
    await forget('addressFailures')
    const statuses = []
    for (let at = 0; at < 8; at++) statuses.push((await guess(new TestBrowser(service))).status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(4)
    await forget('addressFailures')
  })
})

describe('a start with a proof', () => {
  const ask = () => getByScript(`${google.path}/start?prove=true`, new TestBrowser(service))
  const startWith = (query: string) => new TestBrowser(service).get(`${google.path}/start${query}`, 'none')

  it('is needed once the browser asks for it, and is for one start', async () => {
    await forget('samlStarts')
    const asked = await ask()
    expect(asked).toMatchObject({ status: 429, body: { reason: 'proof_required' } })
    const proof = encodeURIComponent(await proveWork(asked))
    expect((await startWith(`?prove=true&proof=${proof}`)).headers.get('location')).toContain(upstream.issuer)
    const again = await startWith(`?prove=true&proof=${proof}`)
    expect(again.headers.get('location')).toContain('/?start=')
    const garbage = await startWith('?prove=true&proof=d3Jvbmc=')
    expect(garbage.headers.get('location')).toContain('/?start=')
  })

  it('leads nobody to link an account or to a test without a click', async () => {
    for (const name of ['link', 'test']) {
      const answer = await startWith(`?prove=true&${name}=true`)
      expect([answer.status, answer.headers.get('location')]).toEqual([429, null])
    }
  })

  it('keeps where the browser goes, and nothing else', async () => {
    const answer = await startWith('?prove=true&return_to=/account&force_authn=true')
    const next = new URL(answer.headers.get('location') ?? '').searchParams.get('start') ?? ''
    expect(Object.fromEntries(new URL(next, service.url).searchParams)).toEqual({
      return_to: '/account',
      force_authn: 'true',
      prove: 'true',
    })
  })
})
