import { describe, expect, it } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { readHiddenFields } from '../support/decisions.ts'
import { makeIdp } from '../support/idp.ts'
import {
  addNativeApp,
  addRelyingParty,
  buildAuthorization,
  createPkce,
  exchangeCode,
  type RelyingParty,
  readRedirect,
} from '../support/oidc.ts'
import { addConnection, startUpstream } from '../support/oidc-upstream.ts'
import { addSignedIn } from '../support/people.ts'
import { addProvider, vouchForDomains } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/*
 * A program on the machine of a person opens the address of an authorization in their browser, in the name of an app that they use.
 * Their company signs them in without a question, and the sign-in page leads to the company without one.
 */

type Kind = 'SAML' | 'OpenID Connect'
const service = await useService({ ALLOW_PRIVATE_METADATA: 'true', RATE_LIMITS: 'samlStarts=100000/60' })
const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
const upstream = closeAfterTests(await startUpstream())
const provider = await addProvider(service, await makeIdp(), { auto_create_users: true })
const { id } = await addConnection(service, bearer, upstream.issuer, { auto_create_users: true })
await vouchForDomains(service, provider, ['saml.example'])
await vouchForDomains(service, { id, admin: bearer }, ['oidc.example'])
const connections: Readonly<Record<Kind, number>> = { SAML: provider.id, 'OpenID Connect': id }
const app = await addNativeApp(service, {
  name: 'Cutting Room',
  scopes: ['openid', 'profile', 'offline_access'],
})

const { challenge, verifier } = createPkce()
const redirect_uri = 'http://127.0.0.1:51004/callback'

/** What the provider of the company answers for the person, who is signed in there. */
const answerAsProvider = async (browser: TestBrowser, location: string): Promise<Answer> => {
  if (location.startsWith(upstream.issuer)) {
    const { pathname, search } = upstream.authorize(location, { sub: 'kim', email: 'kim@oidc.example' })
    return browser.get(pathname + search, 'cross-site')
  }
  const target = provider.idp.targetOf(provider.idp.read(location, [provider.own.pem]))
  const { form } = await provider.idp.answer(target, { nameId: 'kim', times: { authenticated: 0 } })
  // Over plain HTTP, the cookie comes with a form of the same site alone.
  return browser.post(target.acsUrl, form, 'same-site')
}

/** Where the sign-in page leads a person who is not signed in, without a question. Undefined if it shows its form. */
const followPage = async (page: URL): Promise<string | undefined> => {
  const read = (name: string) => page.searchParams.get(name) ?? undefined
  if (read('prompt')?.split(' ').includes('select_account')) return undefined
  const body = { username: read('login_hint'), domain: read('domain_hint'), connection: read('connection') }
  const { login_url: start } = (await service.client('POST', '/api/2/auth/sign-in-route', { body })).body
  const force = read('prompt') === 'login' ? '&force_authn=true' : ''
  return start && `${start}?return_to=${encodeURIComponent(read('return_to') ?? '')}${force}`
}

/** All that happens in a browser before its person does anything. */
const browse = async (browser: TestBrowser, party: RelyingParty, parameters: object): Promise<Answer> => {
  const query = buildAuthorization(party, challenge, { scope: 'openid offline_access', ...parameters })
  let answer = await browser.get(`/oauth2/authorize?${query}`)
  for (let steps = 0; steps < 10; steps += 1) {
    const location = answer.headers.get('location')
    if (location === null) return answer
    const next = new URL(location, service.url)
    if (next.origin !== service.url) {
      if (readRedirect(answer)['code'] !== undefined || readRedirect(answer)['error']) return answer
      answer = await answerAsProvider(browser, location)
    } else if (next.pathname === '/') {
      const followed = await followPage(next)
      if (followed === undefined) return answer
      answer = await browser.get(followed, 'same-origin')
    } else answer = await browser.get(next.href, 'same-origin')
  }
  throw new Error('The browser never arrived.')
}

describe.each<[Kind, object]>([
  ['SAML', { domain_hint: 'saml.example' }],
  ['SAML', { login_hint: 'kim@saml.example' }],
  ['OpenID Connect', { domain_hint: 'oidc.example' }],
  ['OpenID Connect', { login_hint: 'kim@oidc.example' }],
  ['SAML', {}],
  ['OpenID Connect', {}],
])('a silent sign-on by %s, with %o', (kind, hints) => {
  const given = () => ({ redirect_uri, connection: String(connections[kind]), ...hints })

  it.each([{}, { prompt: 'consent' }, { prompt: 'login' }, { max_age: '0' }])(
    'gives an app on the machine nothing before the person has agreed, with %o',
    async (parameters) => {
      const browser = new TestBrowser(service)
      const page = await browse(browser, app, { ...given(), ...parameters })
      expect([page.status, page.headers.get('location')]).toEqual([200, null])
      for (const text of ['Sign in to Cutting Room?', 'Then you go on to 127.0.0.1:51004.'])
        expect(page.text).toContain(text)
      const [, path = ''] = /<form method="post" action="([^"]+)">/.exec(page.text) ?? []
      // Opening the page again agrees to nothing.
      expect((await browser.get(path, 'same-origin')).status).toBe(200)
      const fields = readHiddenFields(page)
      const agreed = await browser.post(path, { answer: 'continue', ...fields }, 'same-origin')
      const { code = '' } = readRedirect(agreed)
      const tokens = await exchangeCode(service, app, { code, verifier }, { redirect_uri })
      expect(tokens.body.refresh_token).toBeDefined()
      // The agreement was for one authorization.
      const later = await browse(browser, app, given())
      expect([later.status, later.headers.get('location')]).toEqual([200, null])
    },
  )

  it('signs in at a client with an https address at once', async () => {
    const { redirect_uri: _, ...parameters } = given()
    const party = await addRelyingParty(service)
    const answer = await browse(new TestBrowser(service), party, { ...parameters, scope: 'openid' })
    expect(readRedirect(answer)['code']).toBeDefined()
  })

  it('waits on the sign-in page if the client asks for a choice', async () => {
    const { redirect_uri: _, ...parameters } = given()
    const party = await addRelyingParty(service)
    for (const prompt of ['select_account', 'select_account login', 'consent select_account']) {
      const answer = await browse(new TestBrowser(service), party, { ...parameters, prompt, scope: 'openid' })
      const page = new URL(answer.headers.get('location') ?? '')
      expect([page.pathname, page.searchParams.get('prompt')?.split(' ')]).toEqual([
        '/',
        expect.arrayContaining(['select_account']),
      ])
    }
  })
})
