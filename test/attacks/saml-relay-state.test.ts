import { afterEach, describe, expect, it, vi } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import { newId, replaced } from '../support/idp/xml.ts'
import type { AnswerFacts } from '../support/idp.ts'
import { expectPlainRefusal } from '../support/refusals.ts'
import { countSessions, sessionOf, startSignIn } from '../support/saml.ts'
import { useTwoProviders } from '../support/saml-attack.ts'

/*
 * Some identity providers lose RelayState. Then only InResponseTo says which sign-in a response answers. These tests
 * omit RelayState on purpose.
 */

const { service, provider, other } = await useTwoProviders()
afterEach(() => vi.useRealTimers())

const lost: readonly (readonly [string, string | undefined])[] = [
  ['none', undefined],
  ['an empty one', ''],
]

/** RelayState values that no provider sends by accident. */
const planted = [
  newId(),
  'x'.repeat(5000),
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '%2f%2fevil.example',
  'https://auth.example.com@evil.example/',
  '/',
  ' ',
  '__proto__',
]

/** A sign-in whose response came without RelayState. */
const answered = async (relayState?: string, facts: AnswerFacts = {}, browser = new TestBrowser(service)) => {
  const { target } = await startSignIn(service, provider, '', browser)
  const { form } = await provider.idp.answer({ ...target, relayState }, facts)
  return { browser, target, form, post: (by = browser) => by.post(provider.assertionUrl, form) }
}

describe('a SAML response without RelayState', () => {
  it.each(lost)('is accepted in the browser that started the sign-in: %s', async (_, relayState) => {
    const { post } = await answered(relayState)
    expect(sessionOf(await post())).toBeDefined()
  })

  it.each(planted)('is rejected with another RelayState in its place: %s', async (relayState) => {
    const before = await countSessions(service)
    const answer = await (await answered(relayState)).post()
    expectPlainRefusal(answer, relayState)
    expect(answer.text).not.toContain('evil.example')
    expect(await countSessions(service)).toBe(before)
  })

  it('is accepted when it is encrypted and signed as a whole', async () => {
    const encrypt = { certificate: provider.own.pem }
    for (const facts of [{ encrypt }, { sign: 'response' as const }, { sign: 'both' as const, encrypt }])
      expect(sessionOf(await (await answered(undefined, facts)).post())).toBeDefined()
  })

  it('redirects to where its sign-in started', async () => {
    const { browser, target } = await startSignIn(service, provider, '?return_to=/reports')
    const { form } = await provider.idp.answer({ ...target, relayState: undefined })
    const onward = (await browser.post(target.acsUrl, form)).headers.get('location') ?? ''
    const back = await browser.get(onward, 'cross-site')
    expect(back.headers.get('location')).toBe('https://auth.example.com/reports')
  })

  it.each(lost)('signs in no other browser: %s', async (_, relayState) => {
    const { post } = await answered(relayState)
    const before = await countSessions(service)
    const fresh = new TestBrowser(service)
    expectPlainRefusal(await post(fresh), 'no sign-in began there')
    const busy = (await startSignIn(service, provider)).browser
    expectPlainRefusal(await post(busy), 'another sign-in began there')
    expect(await countSessions(service)).toBe(before)
    for (const browser of [fresh, busy]) expect(browser.cookie('latchkey')).toBeUndefined()
    expect(sessionOf(await post())).toBeDefined()
  })

  it('is accepted once in twenty concurrent posts', async () => {
    const { browser, target, form } = await answered()
    const before = await countSessions(service)
    const states = ['', target.requestId ?? '']
    const forms = Array.from({ length: 20 }, (_, at) => ({ ...form, RelayState: states[at % 2] ?? '' }))
    const answers = await Promise.all(forms.map((one) => browser.clone().post(provider.assertionUrl, one)))
    expect(answers.filter((answer) => sessionOf(answer) !== undefined)).toHaveLength(1)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(await countSessions(service)).toBe(before + 1)
  })

  it('is accepted within ten minutes of the start', async () => {
    const { browser, target } = await startSignIn(service, provider)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
    const { form } = await provider.idp.answer({ ...target, relayState: undefined })
    expectPlainRefusal(await browser.post(target.acsUrl, form), 'late')
  })

  it('is accepted only at its own provider', async () => {
    const { browser, target } = await startSignIn(service, provider)
    const atOther = { ...target, acsUrl: other.assertionUrl, audience: other.metadataUrl }
    const { form } = await other.idp.answer({ ...atOther, relayState: undefined })
    expectPlainRefusal(await browser.post(other.assertionUrl, form), 'mixed up')
  })
})

describe('the request that a response refers to', () => {
  it('must be the one in its signed assertion', async () => {
    const browser = new TestBrowser(service)
    const attackers = await startSignIn(service, provider)
    const { target } = await startSignIn(service, provider, '', browser)
    const before = await countSessions(service)
    // Anyone can change the response around a signed assertion.
    const { form } = await provider.idp.answer(
      { ...attackers.target, relayState: undefined },
      {
        change: {
          signedResponse: (xml) =>
            replaced(
              xml,
              `InResponseTo="${attackers.target.requestId}"`,
              `InResponseTo="${target.requestId}"`,
            ),
        },
      },
    )
    expectPlainRefusal(await browser.post(provider.assertionUrl, form), 'another assertion')
    expect(await countSessions(service)).toBe(before)
  })

  it('does not override a RelayState that refers to another sign-in', async () => {
    const browser = new TestBrowser(service)
    const one = await startSignIn(service, provider, '', browser)
    const two = await startSignIn(service, provider, '', browser)
    const foreign = await startSignIn(service, provider)
    const before = await countSessions(service)
    for (const { target } of [one, foreign]) {
      const crossed = { ...two.target, relayState: target.relayState }
      const { form } = await provider.idp.answer(crossed)
      expectPlainRefusal(await browser.post(provider.assertionUrl, form), 'crossed')
    }
    // Used up or not, it belongs to another sign-in.
    const again = await provider.idp.answer({ ...two.target, relayState: one.target.relayState })
    expectPlainRefusal(await browser.post(provider.assertionUrl, again.form), 'crossed with one that is over')
    expect(await countSessions(service)).toBe(before)
    const honest = await provider.idp.answer({ ...two.target, relayState: undefined })
    expect(sessionOf(await browser.post(provider.assertionUrl, honest.form))).toBeDefined()
  })

  it('is reported as missing, together with everything else that the provider must return', async () => {
    const { browser, target } = await startSignIn(service, provider)
    const unasked = { ...target, requestId: null }
    const without = await provider.idp.answer({ ...unasked, relayState: undefined })
    // The browser is sent to start a sign-in, and its response is again one to no request.
    expect((await browser.postByScript(target.acsUrl, without.form)).status).toBe(303)
    const page = await browser.postByScript(target.acsUrl, without.form)
    expect(page.body.detail).toContain('RelayState is missing, and InResponseTo names no sign-in')
    const changed = await provider.idp.answer({ ...unasked, relayState: 'https://app.example.com/' })
    const second = await browser.postByScript(target.acsUrl, changed.form)
    expect(second.body.detail).toContain('RelayState is not from this service')
    expect(second.text).not.toContain('app.example.com/')
  })

  it.each([
    'x',
    '<xml>',
    'PHg+',
    Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>').toString('base64'),
    Buffer.from('<a InResponseTo="x"/>').toString('base64'),
    Buffer.from('<b>'.repeat(40_000)).toString('base64'),
    'A'.repeat(200_000),
  ])('cannot be read from something that is not a response, and causes no error', async (SAMLResponse) => {
    const { browser } = await startSignIn(service, provider)
    const answer = await browser.post(provider.assertionUrl, { SAMLResponse })
    expectPlainRefusal(answer, SAMLResponse.slice(0, 20))
    expect(answer.status).toBe(401)
  })
})
