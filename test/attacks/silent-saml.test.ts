import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { type Site, TestBrowser } from '../support/browser.ts'
import type { Answer } from '../support/client.ts'
import { type AnswerFacts, makeIdp } from '../support/idp.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  exchangeCode,
  getTokens,
  readRedirect,
} from '../support/oidc.ts'
import { addProvider, sessionOf, signInByConnection, startSignIn } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/*
 * A person at the unlocked browser of a user who signed in at their identity provider nine days ago. The provider answers
 * for that session at once and without a question, so one click is no proof of who clicked.
 */

const api = 'https://films.example'
const service = await useService({
  PUBLIC_URL: 'https://auth.example.com',
  ALLOWED_ORIGINS: 'https://app.example.com',
  RATE_LIMITS: 'samlStarts=100000/60',
})
const provider = await addProvider(service, await makeIdp())
const party = await addRelyingParty(service, { audiences: [api] })

const nineDays = 9 * 86_400
const silent: AnswerFacts = { times: { authenticated: -nineDays } }
const anew: AnswerFacts = { times: { authenticated: 0 } }
const { challenge, verifier } = createPkce()

/** A link of another site starts the sign-in, so the service does not take it for a new proof of the user's identity. */
const signInSilently = async (browser = new TestBrowser(service)) => {
  const request = await openProvider(browser, '')
  const answer = await postAnswer(browser, request, silent)
  return { browser, session: sessionOf(answer) ?? `no session: ${answer.status}` }
}

const describeAge = (authTime: unknown): number => Date.now() / 1000 - Number(authTime)

const createToken = ({ session }: { readonly session: string }): Promise<Answer> =>
  service.client('POST', '/api/2/api-tokens', { bearer: session, body: { name: 'thief' } })

/** Starts an authorization. Returns the page that the browser gets, and the address that completes the authorization. */
const authorize = async (browser: TestBrowser, parameters: Readonly<Record<string, string>>) => {
  const answer = await browser.get(`/oauth2/authorize?${buildAuthorization(party, challenge, parameters)}`)
  const page = new URL(answer.headers.get('location') ?? '')
  return { answer, page, interaction: page.searchParams.get('return_to') ?? '' }
}

/** Opens the company button of the sign-in page as it is, or without what the page adds. Returns what the provider reads. */
const openProvider = async (browser: TestBrowser, query: string, site: Site = 'cross-site') => {
  const started = await browser.get(`${provider.loginUrl}${query}`, site)
  expect(started.status).toBe(303)
  return provider.idp.read(started.headers.get('location') ?? '', [provider.own.pem])
}

const isForced = ({ root }: Awaited<ReturnType<typeof openProvider>>): boolean =>
  root.attributes['ForceAuthn'] === 'true'

const postAnswer = async (
  browser: TestBrowser,
  request: Awaited<ReturnType<typeof openProvider>>,
  facts: AnswerFacts,
): Promise<Answer> => {
  const target = provider.idp.targetOf(request)
  return browser.post(target.acsUrl, (await provider.idp.answer(target, facts)).form)
}

describe('a session of a silent sign-on', () => {
  it('states when the user signed in at the provider', async () => {
    const { session } = await signInSilently()
    const tokens = await getTokens(service, party, session, { resource: api })
    for (const token of [tokens.id_token, tokens.access_token])
      expect(Math.abs(describeAge(decodeJwt(token)['auth_time']) - nineDays)).toBeLessThan(300)
    const fresh = await getTokens(service, party, (await signInByConnection(service, provider, anew)).session)
    expect(describeAge(decodeJwt(fresh.id_token)['auth_time'])).toBeLessThan(300)
  })

  it.each([
    ['a bearer', () => signInSilently()],
    [
      'a session that a second silent sign-on replaced',
      async () => signInSilently((await signInSilently()).browser),
    ],
  ])('gets no API token with %s', async (_, open) => {
    const answer = await createToken(await open())
    expect([answer.status, answer.body.reason]).toEqual([403, 'reauthentication_required'])
    expect((await createToken(await signInByConnection(service, provider, anew))).status).toBe(201)
  })

  it('links no other account at a provider', async () => {
    const { browser } = await signInSilently()
    expect((await browser.get(`${provider.loginUrl}?link=true`, 'same-origin')).status).toBe(403)
  })

  it('is replaced with a forced sign-in at the start on a page of the service, with any address', async () => {
    const { browser } = await signInSilently()
    for (const query of [
      '?return_to=/account',
      '?return_to=https://auth.example.com/admin',
      '?force_authn=false&return_to=/account',
    ]) {
      const request = await openProvider(browser, query, 'same-origin')
      expect([query, isForced(request)]).toEqual([query, true])
      expect((await postAnswer(browser, request, silent)).status).toBe(401)
    }
    const request = await openProvider(browser, '?return_to=/account', 'same-origin')
    const answer = await postAnswer(browser, request, anew)
    expect((await createToken({ session: sessionOf(answer) ?? '' })).status).toBe(201)
    expect(isForced(await openProvider(browser, '?return_to=/account', 'same-origin'))).toBe(false)
  })
})

describe.each([
  [{ prompt: 'login' }],
  [{ max_age: '0' }],
  [{ max_age: '60' }],
  [{ prompt: 'login', max_age: '60' }],
])('an authorization with %o', (parameters) => {
  it('is not completed by a silent sign-on, before or after it starts', async () => {
    const { browser } = await signInSilently()
    const { page, interaction } = await authorize(browser, parameters)
    expect(readRedirect({ headers: new Headers({ location: page.href }) })['code']).toBeUndefined()
    // Without the interaction, nothing says that a proof is needed.
    await signInSilently(browser)
    const back = await browser.get(interaction)
    expect([back.status, back.headers.get('location')]).toEqual([303, page.href])
  })

  it.each(['', '&force_authn=false'])('forces the identity provider without force_authn%s', async (extra) => {
    const { browser } = await signInSilently()
    const { interaction } = await authorize(browser, parameters)
    const paths = [interaction, new URL(interaction).pathname, `${interaction}?x=1`]
    for (const path of paths)
      expect(isForced(await openProvider(browser, `?return_to=${encodeURIComponent(path)}${extra}`))).toBe(
        true,
      )
    const query = `?return_to=${encodeURIComponent(interaction)}${extra}`

    const refused = await postAnswer(browser, await openProvider(browser, query), silent)
    expect(refused.status).toBe(401)
    expect(refused.text).toContain('did not ask you to sign in again')
    // The page offers to try again, with the same destination.
    expect(refused.text).toContain('force_authn=true')
    expect((await browser.get(interaction)).headers.get('location')).toContain('prompt=login')

    const answer = await postAnswer(browser, await openProvider(browser, query), anew)
    expect(answer.status).toBe(303)
    const { code = '' } = readRedirect(await browser.get(interaction))
    const { body } = await exchangeCode(service, party, { code, verifier })
    expect(describeAge(decodeJwt(body.id_token)['auth_time'])).toBeLessThan(300)
  })

  it('accepts a provider whose clock is half a minute slow', async () => {
    const browser = new TestBrowser(service)
    const { interaction } = await authorize(browser, parameters)
    const request = await openProvider(browser, `?return_to=${encodeURIComponent(interaction)}`)
    const slow = { times: { issued: -30, authenticated: -30 } }
    expect((await postAnswer(browser, request, slow)).status).toBe(303)
    expect(readRedirect(await browser.get(interaction))['code']).toBeDefined()
  })

  it('does not send the browser around forever', async () => {
    const { browser } = await signInSilently()
    const { interaction } = await authorize(browser, parameters)
    const statuses: number[] = []
    for (let round = 0; round < 50 && statuses.at(-1) !== 400; round++)
      statuses.push((await browser.get(interaction)).status)
    expect(statuses.at(-1)).toBe(400)
  })
})

it('a product that sends a user with an old session to the provider gets a ticket without a new sign-in', async () => {
  const { browser } = await signInSilently()
  for (const site of ['none', 'cross-site'] as const)
    expect(isForced(await openProvider(browser, '?return_to=https://app.example.com/', site))).toBe(false)
})

it('an authorization that needs no new proof asks the provider for none', async () => {
  const browser = new TestBrowser(service)
  const { interaction } = await authorize(browser, {})
  expect(isForced(await openProvider(browser, `?return_to=${encodeURIComponent(interaction)}`))).toBe(false)
})

it('max_age counts from the sign-in at the provider', async () => {
  const { browser } = await signInSilently()
  const longer = await authorize(browser, { max_age: String(nineDays + 3600) })
  expect(longer.page.searchParams.get('code')).not.toBeNull()
  const shorter = await authorize(browser, { max_age: String(nineDays - 3600) })
  expect(shorter.page.searchParams.get('code')).toBeNull()
  const none = await authorize(browser, { max_age: String(nineDays - 3600), prompt: 'none' })
  expect(none.page.searchParams.get('error')).toBe('login_required')
})

it.each([
  'https://auth.example.com/oauth2/interaction/',
  'https://auth.example.com/oauth2/interaction/unknown',
  `https://auth.example.com/oauth2/interaction/${'x'.repeat(200)}`,
  '/oauth2/interaction/../interaction/%00',
  '/oauth2/interaction/a/b',
  '/oauth2/interaction/__proto__',
])('the unknown authorization %s starts a usual sign-in', async (returnTo) => {
  const request = await openProvider(new TestBrowser(service), `?return_to=${encodeURIComponent(returnTo)}`)
  expect(isForced(request)).toBe(false)
})

describe('a time of authentication', () => {
  it('is never later than now', async () => {
    const { session } = await signInByConnection(service, provider, { times: { authenticated: 45 } })
    const { id_token: idToken } = await getTokens(service, party, session)
    const { auth_time: authTime, iat = 0 } = decodeJwt(idToken)
    expect(Number(authTime)).toBeLessThanOrEqual(iat)
  })

  it.each([
    ['missing', { times: { authenticated: null } }],
    ['in the future', { times: { authenticated: 3600 } }],
    ['in the year 9999', { times: { authenticated: 251_000_000_000 } }],
    [
      'not a time',
      { change: { assertion: (xml: string) => xml.replace(/AuthnInstant="[^"]*"/, 'AuthnInstant="now"') } },
    ],
    ['without its statement', { hasAuthnStatement: false }],
  ])('%s signs no one in', async (_, facts) => {
    const { browser, target } = await startSignIn(service, provider)
    const answer = await browser.post(target.acsUrl, (await provider.idp.answer(target, facts)).form)
    expect([answer.status, sessionOf(answer)]).toEqual([401, undefined])
  })
})
