import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { findUserIdByUsername } from '../../lib/accounts/users/find-users.records.ts'
import { signInQuestionMs } from '../../lib/kernel/limits/connection-limits.ts'
import { TestBrowser } from '../support/browser.ts'
import type { Answer } from '../support/client.ts'
import {
  type CompanySignIn,
  companyKinds,
  decide,
  openQuestion,
  readNext,
} from '../support/company-sign-in.ts'
import { addPerson, type Person } from '../support/people.ts'
import { countSessions, sessionOf, userOfSession } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* A page of another site, or a hostile provider, makes a browser use an account of the attacker. */

const service = await useService({
  ALLOWED_ORIGINS: 'https://shop.example',
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'samlStarts=100000/60',
})
afterEach(() => vi.useRealTimers())

/** Evil Corp has proven no domain, so its people are not named by their addresses. */
const usernameOf = (address: string): string => address.split('@')[0] ?? ''

const logIn = async (browser: TestBrowser, { user, password }: Person): Promise<string> => {
  const answer = await service.client('POST', '/api/2/auth/login', {
    body: { username: user.username, password },
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  browser.keep(answer)
  return sessionOf(answer) ?? ''
}

describe.each(companyKinds)('an answer over $kind', ({ add }) => {
  let evil: CompanySignIn
  let kim: Person
  let browser: TestBrowser
  let session: string
  let mallory: string
  beforeAll(async () => {
    evil = await add(service, 'Evil Corp')
    kim = await addPerson(service, { username: `kim-${randomUUID()}` })
  })
  afterAll(() => evil.close())
  beforeEach(async () => {
    browser = new TestBrowser(service)
    session = await logIn(browser, kim)
    mallory = `mallory-${randomUUID()}@evil.example`
  })

  /** Signs an account in that has a user here, in a browser of its own. */
  const addMallory = async (): Promise<number> => {
    const own = await (await evil.start(new TestBrowser(service)))(mallory)
    return (await userOfSession(service, sessionOf(own) ?? '')) ?? 0
  }
  /** Another site starts the sign-in, and the provider answers without a question. */
  const attack = async (query = '') => (await evil.start(browser, { site: 'cross-site', query }))(mallory)
  const expectKept = async (): Promise<void> => {
    expect(browser.cookie('latchkey')).toBe(session)
    expect(await userOfSession(service, session)).toBe(kim.user.id)
  }
  const expectAsked = async (answer: Answer) => {
    expect([answer.status, sessionOf(answer)]).toEqual([303, undefined])
    const question = await openQuestion(browser, answer)
    expect([question.page.status, question.page.text]).toEqual([200, expect.stringContaining(mallory)])
    await expectKept()
    return question
  }

  it('asks before it replaces the session of another person, and names both', async () => {
    await addMallory()
    const sessions = await countSessions(service)
    const { page } = await expectAsked(await attack())
    expect(page.text).toContain(`<h1>Continue as ${usernameOf(mallory)}?</h1>`)
    expect(page.text).toContain(`You are signed in as ${kim.user.username}.`)
    expect(page.text).toContain(`At Evil Corp you are ${mallory}.`)
    expect(await countSessions(service)).toBe(sessions)
  })

  it('changes nothing if the person stays signed in, and cannot be used any more', async () => {
    await addMallory()
    const question = await expectAsked(await attack())
    const sessions = await countSessions(service)
    const stayed = await decide(browser, question, 'no')
    expect([stayed.status, stayed.headers.get('location')]).toEqual([303, `${service.url}/account`])
    const late = await decide(browser, question, 'yes')
    expect([late.status, sessionOf(late)]).toEqual([401, undefined])
    expect(await countSessions(service)).toBe(sessions)
    await expectKept()
  })

  it('opens the new session after the word of the person alone, and leads on to where they wanted', async () => {
    const id = await addMallory()
    const question = await expectAsked(await attack('?return_to=https%3A%2F%2Fshop.example%2Fcart'))
    const answer = await decide(browser, question, 'yes')
    expect(answer.status, answer.text).toBe(200)
    expect(await userOfSession(service, sessionOf(answer) ?? '')).toBe(id)
    expect(browser.cookie('latchkey')).toBe(sessionOf(answer))
    const end = await browser.get(readNext(answer), 'same-origin')
    expect(end.headers.get('location')).toMatch(/^https:\/\/shop\.example\/cart\?.*ticket/)
    const { body } = await service.client('GET', `/api/2/users/me`, { bearer: sessionOf(answer) ?? '' })
    expect(body.id).toBe(id)
  })

  it('asks as well if the person signed in after the start', async () => {
    await addMallory()
    browser = new TestBrowser(service)
    const arrive = await evil.start(browser, { site: 'cross-site' })
    session = await logIn(browser, kim)
    await expectAsked(await arrive(mallory))
  })

  it('asks for a page of this service, a bookmark and a link in a mail program as well', async () => {
    await addMallory()
    for (const site of ['same-origin', 'same-site', 'none'] as const)
      await expectAsked(await (await evil.start(browser, { site }))(mallory))
  })

  it('creates no user before the word of the person', async () => {
    const question = await expectAsked(await attack())
    const find = () => findUserIdByUsername(service.services.table, usernameOf(mallory))
    expect(await find()).toBeUndefined()
    expect(sessionOf(await decide(browser, question, 'yes'))).toBeDefined()
    expect(await find()).toBeDefined()
  })

  it('asks no one who is signed out, whose session ended, or who is the same person', async () => {
    const id = await addMallory()
    const signedOut = new TestBrowser(service)
    const first = await (await evil.start(signedOut, { site: 'cross-site' }))(mallory)
    expect(await userOfSession(service, sessionOf(first) ?? '')).toBe(id)
    const again = await (await evil.start(signedOut, { site: 'cross-site' }))(mallory)
    expect(await userOfSession(service, sessionOf(again) ?? '')).toBe(id)
    await service.client('POST', '/api/2/auth/logout', { bearer: session })
    const ended = await attack()
    expect(await userOfSession(service, sessionOf(ended) ?? '')).toBe(id)
  })

  it('belongs to the browser that started it, and to pages of this service', async () => {
    await addMallory()
    const question = await expectAsked(await attack())
    const victim = new TestBrowser(service)
    const own = await logIn(victim, await addPerson(service))
    expect((await victim.get(question.path, 'cross-site')).status).toBe(401)
    const busy = await evil.start(victim, { site: 'cross-site' })
    expect((await victim.get(question.path, 'cross-site')).status).toBe(401)
    expect((await decide(victim, question, 'yes')).status).toBe(401)
    expect(victim.cookie('latchkey')).toBe(own)
    expect(busy).toBeDefined()
    for (const site of ['cross-site', 'same-site'] as const) {
      const foreign = await decide(browser, question, 'yes', site)
      expect([foreign.status, sessionOf(foreign)]).toEqual([403, undefined])
    }
    await expectKept()
  })

  it('decides nothing if anything on the page has changed since', async () => {
    await addMallory()
    const question = await expectAsked(await attack())
    const other = await addPerson(service)
    session = await logIn(browser, other)
    const again = await decide(browser, question, 'yes')
    expect([again.status, sessionOf(again)]).toEqual([200, undefined])
    expect(again.text).toContain('This request has changed')
    expect(again.text).toContain(`You are signed in as ${other.user.username}.`)
    expect(sessionOf(await decide(browser, { ...question, page: again }, 'yes'))).toBeDefined()
    // The name of what another question showed is worth nothing.
    session = await logIn(browser, kim)
    const [first, second] = [await expectAsked(await attack()), await expectAsked(await attack())]
    expect(sessionOf(await decide(browser, { ...second, page: first.page }, 'yes'))).toBeUndefined()
    for (const shown of ['', 'x'.repeat(43), '__proto__', 'x'.repeat(10_000)]) {
      const forged = await browser.post(second.path, { answer: 'yes', shown }, 'same-origin')
      expect(sessionOf(forged)).toBeUndefined()
    }
    await expectKept()
  })

  it('is carried out once, also in parallel, and by no made-up address', async () => {
    await addMallory()
    const question = await expectAsked(await attack())
    const sessions = await countSessions(service)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => decide(browser.clone(), question, 'yes')),
    )
    expect(answers.filter((answer) => sessionOf(answer) !== undefined)).toHaveLength(1)
    expect(await countSessions(service)).toBe(sessions + 1)
    for (const path of [
      `/sign-in-question/${evil.id}/__proto__`,
      `/sign-in-question/${evil.id}/${'x'.repeat(500)}`,
    ])
      expect((await browser.get(path)).status).toBe(401)
    expect((await browser.get('/sign-in-question/999999999/x')).status).toBe(404)
  })

  it('ends after some minutes, and with a change of the keys or the end of the connection', async () => {
    const [hostile, removed] = [await add(service, 'Hostile Corp'), await add(service, 'Removed Corp')]
    const ask = async (at: CompanySignIn) => openQuestion(browser, await (await at.start(browser))(mallory))
    const late = await ask(hostile)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + signInQuestionMs + 1000 })
    expect((await decide(browser, late, 'yes')).status).toBe(401)
    vi.useRealTimers()
    const changed = await ask(hostile)
    await hostile.change(
      hostile.target.startsWith('saml') ? { entity_id: `urn:${randomUUID()}` } : { client_id: 'another' },
    )
    expect((await decide(browser, changed, 'yes')).status).toBe(401)
    const pending = await ask(removed)
    await removed.remove()
    expect((await decide(browser, pending, 'yes')).status).toBe(404)
    await expectKept()
    for (const at of [hostile, removed]) await at.close()
  })

  it('starts again without a question if no one is signed in when the page opens', async () => {
    const id = await addMallory()
    const { path } = await expectAsked(await attack())
    browser.keep({ cookies: ['latchkey=; Path=/; Max-Age=0'] })
    const restarted = await browser.get(path, 'cross-site')
    expect([restarted.status, restarted.headers.get('location')]).toEqual([303, evil.startPath])
    // The session still exists, and the browser no longer says that it has it: this cannot go around without an end.
    const answer = await (await evil.start(browser, { site: 'cross-site' }))(mallory)
    expect(await userOfSession(service, sessionOf(answer) ?? '')).toBe(id)
  })
})
