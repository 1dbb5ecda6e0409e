import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { signInQuestionMs } from '../../lib/kernel/limits/connection-limits.ts'
import { TestBrowser } from '../support/browser.ts'
import type { Answer } from '../support/client.ts'
import {
  type CompanySignIn,
  companyKinds,
  decide,
  type OpenQuestion,
  openQuestion,
} from '../support/company-sign-in.ts'
import { addLink } from '../support/links.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { sessionOf, userOfSession } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* Somebody wants their account at a provider to be connected to the account of another person, which it could then open. */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'samlStarts=100000/60',
  RECENT_AUTHENTICATION_SECONDS: '300',
})
afterEach(() => vi.useRealTimers())

const moveClock = (ms: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
}

describe.each(companyKinds)('the account of an attacker over $kind', ({ add }) => {
  let evil: CompanySignIn
  beforeAll(async () => {
    evil = await add(service, 'Evil Corp', { auto_create_users: false })
  })
  afterAll(() => evil.close())

  let kim: Person
  let browser: TestBrowser
  let mallory: string
  beforeEach(async () => {
    kim = await addPerson(service, { username: `kim-${randomUUID()}` })
    browser = new TestBrowser(service)
    mallory = `mallory-${randomUUID()}@evil.example`
  })

  const logIn = async (person = kim, by = browser): Promise<string> => {
    const answer = await service.client('POST', '/api/2/auth/login', {
      body: { username: person.user.username, password: person.password },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    by.keep(answer)
    return sessionOf(answer) ?? ''
  }
  /** A page of the attacker has the browser bring the account of the attacker. */
  const bring = async (): Promise<Answer> => (await evil.start(browser, { site: 'cross-site' }))(mallory)
  const accountsOf = async ({ user }: Person) =>
    (await service.client('GET', `/api/2/users/${user.id}/company-accounts`, { bearer: await adminBearer() }))
      .body
  const adminBearer = async () =>
    (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
  const expectNotConnected = async (): Promise<void> => {
    expect(await accountsOf(kim)).toEqual([])
    const own = await (await evil.start(new TestBrowser(service)))(mallory)
    expect([own.status, sessionOf(own)]).toEqual([403, undefined])
  }
  /** The victim has signed in on the genuine page, to which the page of the refused sign-in leads. */
  const lure = async (): Promise<OpenQuestion> => {
    const question = await openQuestion(browser, await bring())
    await logIn()
    return { ...question, page: await browser.get(question.path, 'same-origin') }
  }

  it('is never connected by a sign-in alone: a page names the connection, the account there and the one here', async () => {
    const { page } = await lure()
    expect(page.status).toBe(200)
    expect(page.text).toContain(
      `<h1>Connect ${mallory} of Evil Corp to your account ${kim.user.username}?</h1>`,
    )
    expect(page.text).toContain(
      `anyone who signs in to Evil Corp as ${mallory} is signed in here as ${kim.user.username}`,
    )
    await expectNotConnected()
  })

  it('is not connected if the person says no, and cannot be used any more', async () => {
    const question = await lure()
    expect((await decide(browser, question, 'no')).status).toBe(303)
    expect((await decide(browser, question, 'yes')).status).toBe(401)
    await expectNotConnected()
  })

  it('is not connected from a page of another site, by a guess, or in another browser', async () => {
    const question = await lure()
    for (const site of ['cross-site', 'same-site'] as const)
      expect((await decide(browser, question, 'yes', site)).status).toBe(403)
    const forged = { answer: 'yes', shown: 'x'.repeat(43) }
    expect((await browser.post(question.path, forged, 'same-origin')).status).toBe(200)
    const victim = new TestBrowser(service)
    await logIn(kim, victim)
    expect((await victim.get(question.path, 'same-origin')).status).toBe(401)
    expect((await decide(victim, question, 'yes')).status).toBe(401)
    await expectNotConnected()
  })

  it('is not connected by what another page showed', async () => {
    const first = await lure()
    const shown = mallory
    mallory = `mallory-${randomUUID()}@evil.example`
    const second = await lure()
    const swapped = await decide(browser, { ...second, page: first.page }, 'yes')
    expect(swapped.text).toContain('This request has changed')
    expect(swapped.text).toContain(mallory)
    expect(swapped.text).not.toContain(shown)
    await expectNotConnected()
  })

  it('needs a recent proof of identity of the person themselves', async () => {
    const { path } = await openQuestion(browser, await bring())
    const toSignIn = async () => {
      const { status, headers } = await browser.get(path, 'same-origin')
      return [status, new URL(headers.get('location') ?? '').searchParams.get('prompt')]
    }
    expect(await toSignIn()).toEqual([303, 'login'])
    const creator = await addSignedIn(service, { permissions: ['media:access'] })
    const { token } = await addLink(service, creator.bearer)
    browser.keep(
      await service.client('POST', '/api/2/auth/access-tokens/redeem', {
        body: { token },
        headers: { 'sec-fetch-site': 'same-origin' },
      }),
    )
    expect(await toSignIn()).toEqual([303, 'login'])
    await logIn()
    const page = await browser.get(path, 'same-origin')
    moveClock(6 * 60_000)
    expect(await toSignIn()).toEqual([303, 'login'])
    expect((await decide(browser, { path, page }, 'yes')).status).toBe(303)
    vi.useRealTimers()
    await expectNotConnected()
  })

  it('is not connected while an administrator impersonates the person', async () => {
    const { path } = await openQuestion(browser, await bring())
    const admin = await addPerson(service, { permissions: ['system:admin-access'] })
    const bearer = await logIn(admin)
    const body = { user: kim.user.id }
    const started = await service.client('POST', '/api/2/auth/impersonation', { bearer, body })
    expect(started.status, started.text).toBe(204)
    expect((await browser.get(path, 'same-origin')).status).toBe(403)
    await expectNotConnected()
  })

  it('is connected once of many parallel words, to the person who read the page', async () => {
    const question = await lure()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => decide(browser.clone(), question, 'yes')),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await accountsOf(kim)).toHaveLength(1)
    const own = await (await evil.start(new TestBrowser(service)))(mallory)
    expect(await userOfSession(service, sessionOf(own) ?? '')).toBe(kim.user.id)
  })

  it('is not taken from another user', async () => {
    const question = await lure()
    const taken = await openQuestion(browser, await bring())
    expect((await decide(browser, question, 'yes')).status).toBe(200)
    await logIn(await addPerson(service))
    const page = await browser.get(taken.path, 'same-origin')
    expect((await decide(browser, { ...taken, page }, 'yes')).status).toBe(409)
    expect(await accountsOf(kim)).toHaveLength(1)
  })

  it('waits some minutes', async () => {
    const { path } = await openQuestion(browser, await bring())
    moveClock(signInQuestionMs + 1000)
    await logIn()
    expect((await browser.get(path, 'same-origin')).status).toBe(401)
    vi.useRealTimers()
    await expectNotConnected()
  })

  it('is connected by no address that the sign-in page leads to', async () => {
    const { path } = await openQuestion(browser, await bring())
    for (const [address, isAccepted] of [
      [path, true],
      [`${evil.startPath}?link=true`, false],
    ] as const) {
      const page = await browser.get(`/?return_to=${encodeURIComponent(address)}`, 'same-origin')
      expect([address, !page.text.includes('&quot;refused&quot;')]).toEqual([address, isAccepted])
    }
  })
})
