import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import { statuses } from '../support/idp/names.ts'
import { newId } from '../support/idp/xml.ts'
import { makeIdp } from '../support/idp.ts'
import { addSignedIn } from '../support/people.ts'
import { expectPlainRefusal } from '../support/refusals.ts'
import {
  addProvider,
  countSessions,
  sessionOf,
  signInByConnection,
  startSignIn,
  userOfSession,
} from '../support/saml.ts'
import { useTwoProviders } from '../support/saml-attack.ts'

/* An honest response in the wrong browser, at the wrong address, at the wrong time, or more than once. */

const { service, provider, other } = await useTwoProviders()
afterEach(() => vi.useRealTimers())

const answered = async (at = provider) => {
  const { browser, target } = await startSignIn(service, at)
  const { form } = await at.idp.answer(target, { nameId: 'attacker@example.com' })
  return { browser, target, form, post: (by = browser) => by.post(at.assertionUrl, form) }
}

describe('a SAML response in another browser', () => {
  it('signs that browser in to no account, with or without a pending sign-in', async () => {
    const { post } = await answered()
    const before = await countSessions(service)
    const fresh = new TestBrowser(service)
    expectPlainRefusal(await post(fresh), 'no sign-in began there')
    const busy = await startSignIn(service, provider)
    expectPlainRefusal(await post(busy.browser), 'another sign-in began there')
    expect(await countSessions(service)).toBe(before)
    for (const browser of [fresh, busy.browser]) expect(browser.cookie('latchkey')).toBeUndefined()
    // The same response is accepted in the browser that it belongs to.
    expect(sessionOf(await post())).toBeDefined()
  })

  it('does not end or change the session of that browser', async () => {
    const { post } = await answered()
    const victim = await signInByConnection(service, provider, { nameId: 'victim@example.com' })
    const { browser } = await startSignIn(service, provider, '', victim.browser)
    expectPlainRefusal(await post(browser), 'a victim')
    expect(browser.cookie('latchkey')).toBe(victim.session)
    expect(await userOfSession(service, victim.session)).toBeDefined()
  })

  it('asks before it replaces another session, whose cookie browsers do not send with a form of another site', async () => {
    const victim = await signInByConnection(service, provider, { nameId: `victim-${randomUUID()}` })
    const { browser, target } = await startSignIn(service, provider, '', victim.browser)
    const { form } = await provider.idp.answer(target, { nameId: `attacker-${randomUUID()}` })
    expect(browser.cookieHeader(target.acsUrl, 'cross-site', 'POST')).not.toContain(victim.session)
    const answer = await browser.post(target.acsUrl, form)
    expect([answer.status, sessionOf(answer)]).toEqual([303, undefined])
    expect(answer.headers.get('location')).toContain('/sign-in-question/')
    expect(browser.cookie('latchkey')).toBe(victim.session)
  })

  it('is rejected with the cookie of another sign-in under its own cookie name', async () => {
    const [first, second] = [await answered(), await answered()]
    expectPlainRefusal(await first.post(second.browser), 'crossed')
    expectPlainRefusal(await second.post(first.browser), 'crossed')
  })

  it('is a realistic attack: the flow cookie is sent with a post from another site', async () => {
    const { browser, post } = await answered()
    const answer = await post()
    expect(sessionOf(answer)).toBeDefined()
    // SameSite keeps the session cookie out of forms of other sites.
    const line = answer.cookies.find((text) => text.includes('lks_')) ?? ''
    expect(line).toMatch(/^__Host-latchkey=.*; Secure; HttpOnly; SameSite=Lax; Path=\/;/)
    expect(browser.cookie('latchkey')).toBe(sessionOf(answer))
  })

  it('belongs to a cookie that scripts cannot read and other hosts of the domain cannot set', async () => {
    const answer = await new TestBrowser(service).get(provider.loginUrl)
    expect(answer.cookies).toHaveLength(1)
    expect(answer.cookies[0]).toMatch(
      /^__Host-[\w-]+=[^;]{20,}; (?=.*Secure)(?=.*HttpOnly)(?=.*SameSite=None)(?=.*Path=\/;)(?!.*Domain)/,
    )
    expect(answer.headers.get('location')).not.toContain(/=([^;]+)/.exec(answer.cookies[0] ?? '')?.[1] ?? 'x')
  })
})

describe('an unsolicited SAML response', () => {
  it('is rejected, whichever way it shows that it is unsolicited', async () => {
    const { browser, target } = await startSignIn(service, provider)
    const { idp } = provider
    const unasked = { ...target, requestId: null }
    const madeUp = { ...target, requestId: newId() }
    const forms = {
      'no request': (await idp.answer(unasked)).form,
      'a made-up request': (await idp.answer(madeUp)).form,
      'a made-up request without a state': (await idp.answer({ ...madeUp, relayState: undefined })).form,
      'no request and a refusal': (
        await idp.answer({ ...unasked, relayState: '' }, { response: { status: statuses.requester } })
      ).form,
      'a made-up state': (await idp.answer({ ...target, relayState: newId() })).form,
      'a long state': (await idp.answer({ ...target, relayState: 'x'.repeat(5000) })).form,
      'a place as a state': (await idp.answer({ ...target, relayState: 'https://evil.example/' })).form,
      'a made-up request and a made-up state': (await idp.answer({ ...madeUp, relayState: newId() })).form,
    }
    const before = await countSessions(service)
    for (const [name, form] of Object.entries(forms)) {
      const answer = await browser.post(target.acsUrl, form)
      expectPlainRefusal(answer, name)
      expect(answer.headers.get('location'), name).toBeNull()
    }
    expect(await countSessions(service)).toBe(before)
    await signInByConnection(service, provider)
  })

  /** A response to no request, as after a click in the portal of a company. */
  const answerUnasked = async (relayState?: string) => {
    const { target } = await startSignIn(service, provider)
    return (await provider.idp.answer({ ...target, requestId: null, relayState })).form
  }

  it('only has the browser start a sign-in here, which then ends at the page of RelayState', async () => {
    const browser = new TestBrowser(service)
    const before = await countSessions(service)
    const form = await answerUnasked('/account#/apps')
    const restarted = await browser.post(provider.assertionUrl, form)
    expect(restarted.status).toBe(303)
    const start = `${new URL(provider.loginUrl).pathname}?return_to=%2Faccount%23%2Fapps`
    expect(restarted.headers.get('location')).toBe(start)
    expect([browser.cookie('latchkey'), await countSessions(service)]).toEqual([undefined, before])
    // The identity provider loses what a request contains: the browser is not sent around without end.
    expectPlainRefusal(await browser.post(provider.assertionUrl, form), 'sent again')
    const { target } = await startSignIn(service, provider, new URL(start, 'http://x').search, browser)
    const answer = await browser.post(target.acsUrl, (await provider.idp.answer(target)).form)
    const end = await browser.get(answer.headers.get('location') ?? '')
    expect(end.headers.get('location')).toMatch(/\/account#\/apps$/)
    // Another click in the portal works at once.
    expect((await browser.post(provider.assertionUrl, await answerUnasked())).status).toBe(303)
  })

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '__proto__',
    `/${'x'.repeat(2000)}`,
  ])('never leads to another site or a page that does not exist: %s', async (relayState) => {
    const browser = new TestBrowser(service)
    const { status, headers } = await browser.post(provider.assertionUrl, await answerUnasked(relayState))
    expect([status, headers.get('location')]).toEqual([303, new URL(provider.loginUrl).pathname])
  })
})

describe('a SAML response of another provider', () => {
  it('is rejected at the address of the requested provider', async () => {
    const { browser, target } = await startSignIn(service, provider)
    const before = await countSessions(service)
    const forms = [
      (await other.idp.answer(target)).form,
      (
        await other.idp.answer(target, {
          issuer: provider.idp.entityId,
          response: { issuer: provider.idp.entityId },
        })
      ).form,
      (await other.idp.answer({ ...target, audience: other.metadataUrl })).form,
      (await other.idp.answer({ ...target, acsUrl: other.assertionUrl })).form,
    ]
    for (const form of forms)
      for (const url of [provider.assertionUrl, other.assertionUrl])
        expectPlainRefusal(await browser.post(url, form), url)
    expect(await countSessions(service)).toBe(before)
  })

  it('is rejected at its own address when the sign-in started at another provider', async () => {
    const began = await startSignIn(service, provider)
    const atOther = { ...began.target, acsUrl: other.assertionUrl, audience: other.metadataUrl }
    const { form } = await other.idp.answer(atOther)
    expectPlainRefusal(await began.browser.post(other.assertionUrl, form), 'mixed up')
    await signInByConnection(service, other, {}, began.browser)
  })

  it('is valid only at its own provider', async () => {
    const { browser, form } = await answered(other)
    expectPlainRefusal(await browser.post(provider.assertionUrl, form), 'carried over')
    expect(sessionOf(await browser.post(other.assertionUrl, form))).toBeDefined()
  })

  it('is rejected after the provider was deleted', async () => {
    const deletedProvider = await addProvider(service, await makeIdp())
    const { post } = await answered(deletedProvider)
    const { session } = await signInByConnection(service, deletedProvider)
    const deleted = await service.client('DELETE', `/api/2/auth/saml/${deletedProvider.id}`, {
      bearer: deletedProvider.admin,
    })
    expect(deleted.status).toBe(204)
    expectPlainRefusal(await post(), 'deleted provider')
    expect(await userOfSession(service, session)).toBeUndefined()
  })
})

describe('a replayed SAML response', () => {
  it('is accepted once', async () => {
    const { browser, post } = await answered()
    expect(sessionOf(await post())).toBeDefined()
    const before = await countSessions(service)
    expectPlainRefusal(await post(), 'again')
    expectPlainRefusal(await post(browser.clone()), 'again, in a copy of the browser')
    expect(await countSessions(service)).toBe(before)
  })

  it('is accepted once in twenty concurrent posts', async () => {
    for (let round = 0; round < 3; round++) {
      const { browser, post } = await answered()
      const before = await countSessions(service)
      const copies = Array.from({ length: 20 }, () => browser.clone())
      const answers = await Promise.all(copies.map((copy) => post(copy)))
      expect(answers.filter((answer) => sessionOf(answer) !== undefined)).toHaveLength(1)
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      expect(await countSessions(service)).toBe(before + 1)
    }
  })

  it('is recognized by its assertion in another response or for another sign-in', async () => {
    const first = await startSignIn(service, provider)
    const second = await startSignIn(service, provider, '', first.browser)
    const { idp } = provider
    const id = newId()
    const one = await idp.answer(first.target, { id })
    const two = await idp.answer(second.target, { id })
    expect(sessionOf(await first.browser.post(provider.assertionUrl, one.form))).toBeDefined()
    const before = await countSessions(service)
    expectPlainRefusal(await first.browser.post(provider.assertionUrl, two.form), 'the same id')
    expect(await countSessions(service)).toBe(before)
  })

  it('is rejected if another response to the same request was accepted', async () => {
    const { browser, target } = await startSignIn(service, provider)
    const forms = [
      (await provider.idp.answer(target, { nameId: 'one@example.com' })).form,
      (await provider.idp.answer(target, { nameId: 'two@example.com' })).form,
    ]
    const before = await countSessions(service)
    const answers = await Promise.all(forms.map((form) => browser.clone().post(target.acsUrl, form)))
    expect(answers.filter((answer) => sessionOf(answer) !== undefined)).toHaveLength(1)
    expect(await countSessions(service)).toBe(before + 1)
  })

  it('is remembered as long as it would be valid', async () => {
    const { target, browser } = await startSignIn(service, provider)
    const long = { notOnOrAfter: 7200, confirmationNotOnOrAfter: 7200 }
    const { form } = await provider.idp.answer(target, { times: long })
    expect(sessionOf(await browser.post(target.acsUrl, form))).toBeDefined()
    for (const minutes of [1, 9, 30, 100]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })
      expectPlainRefusal(await browser.post(target.acsUrl, form), `after ${minutes} minutes`)
      vi.useRealTimers()
    }
  })
})

it('a late SAML response finds no pending sign-in', async () => {
  const { browser, target } = await startSignIn(service, provider)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
  const late = await provider.idp.answer(target)
  expectPlainRefusal(await browser.post(target.acsUrl, late.form), 'late')
  vi.useRealTimers()
  const { browser: other, target: fresh } = await startSignIn(service, provider)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 580_000 })
  const inTime = await provider.idp.answer(fresh)
  expect(sessionOf(await other.post(fresh.acsUrl, inTime.form))).toBeDefined()
})

it('a new sign-in never continues an earlier session', async () => {
  const planted = await addSignedIn(service)
  const first = await signInByConnection(service, provider, { nameId: 'fixated@example.com' })
  const second = await signInByConnection(service, provider, { nameId: 'fixated@example.com' }, first.browser)
  expect(second.session).not.toBe(first.session)
  expect(await userOfSession(service, planted.bearer)).toBe(planted.user.id)
})
