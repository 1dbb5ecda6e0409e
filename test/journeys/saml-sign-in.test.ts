import { afterEach, describe, expect, it, vi } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import { makeCertificate } from '../support/certificates.ts'
import type { Answer } from '../support/client.ts'
import { makeIdp } from '../support/idp.ts'
import { addSignedIn } from '../support/people.ts'
import {
  addProvider,
  countSessions,
  patchProvider,
  sessionOf,
  signInByConnection,
  startSignIn,
} from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

const publicUrl = 'https://auth.example.com'
const product = 'https://app.example.com'
const otherCertificate = makeCertificate()
const service = await useService({
  PUBLIC_URL: publicUrl,
  ALLOWED_ORIGINS: product,
  SIGN_IN_URL: `${product}/start`,
})
const idp = await makeIdp()
const provider = await addProvider(service, idp)
afterEach(() => vi.useRealTimers())

describe('a SAML sign-in', () => {
  it('leads to the provider and back to where it started, with a session of its own', async () => {
    const browser = new TestBrowser(service)
    const start = await browser.get(`${provider.loginUrl}?return_to=/reports%3Fyear%3D2026`)
    expect(start.status).toBe(303)
    const request = idp.read(start.headers.get('location') ?? '', [provider.own.pem])
    expect(request.address).toBe(idp.ssoUrl)
    expect(request.root).toMatchObject({
      name: 'AuthnRequest',
      attributes: {
        Version: '2.0',
        Destination: idp.ssoUrl,
        AssertionConsumerServiceURL: provider.assertionUrl,
        ProtocolBinding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
      },
    })
    expect(request.issuer).toBe(provider.metadataUrl)
    expect(request.xml).not.toMatch(/RequestedAuthnContext|NameIDPolicy|ForceAuthn/)
    expect(Buffer.byteLength(request.relayState ?? '')).toBeLessThanOrEqual(80)

    const { form } = await idp.answer(idp.targetOf(request), { nameId: 'grace@example.com' })
    const posted = await browser.post(provider.assertionUrl, form)
    expect(posted.status).toBe(303)
    const onward = posted.headers.get('location') ?? ''
    expect(onward).toMatch(/^https:\/\/auth\.example\.com\/api\/2\/auth\/saml\/\d+\/sso\/return\?flow=/)
    const back = await browser.get(onward, 'cross-site')
    expect(back.status).toBe(303)
    expect(back.headers.get('location')).toBe(`${publicUrl}/reports?year=2026`)

    const me = await service.client('GET', '/api/2/users/me', { bearer: sessionOf(posted) ?? '' })
    expect(me.body).toMatchObject({ username: 'grace', effective_permissions: [] })
  })

  it('shows its provider in the user’s session list', async () => {
    const { session } = await signInByConnection(service, provider, { nameId: 'through@example.com' })
    const { body } = await service.client('GET', '/api/2/auth/sessions', { bearer: session })
    const { name } = (await service.client('GET', `/api/2/auth/saml/${provider.id}`)).body
    expect(body).toMatchObject([
      { is_current: true, saml_provider: { id: provider.id, name }, access_token: null },
    ])
  })

  it('gives a product on another origin a ticket that identifies the user', async () => {
    const { browser, target } = await startSignIn(
      service,
      provider,
      `?return_to=${encodeURIComponent(`${product}/deep/link?a=1&ticket=planted#part`)}`,
    )
    const { form } = await idp.answer(target, { nameId: 'ticket@example.com' })
    const posted = await browser.post(target.acsUrl, form)
    const onward = posted.headers.get('location') ?? ''
    const back = await browser.get(onward, 'cross-site')
    const to = new URL(back.headers.get('location') ?? '')
    expect(to.origin + to.pathname + to.hash).toBe(`${product}/deep/link#part`)
    expect(to.searchParams.get('a')).toBe('1')
    const tickets = to.searchParams.getAll('ticket')
    expect(tickets).toEqual([expect.stringMatching(/^lkt_/)])
    const check = () => service.client('POST', '/api/2/auth/ticket/check', { body: { ticket: tickets[0] } })
    expect(await check()).toMatchObject({ status: 200, body: { username: 'ticket' } })
    expect((await check()).status).toBe(404)

    // The return address is used up: a second request leads to the default page without a ticket.
    const again = await browser.get(onward, 'none')
    expect(again.headers.get('location')).toBe(`${product}/start`)
  })

  it('without a return address leads to the sign-in page, with a ticket if that is elsewhere', async () => {
    const { browser, answer } = await signInByConnection(service, provider)
    const back = await browser.get(answer.headers.get('location') ?? '', 'cross-site')
    const location = back.headers.get('location') ?? ''
    expect(location).toMatch(/^https:\/\/app\.example\.com\/start\?ticket=lkt_\w+$/)
    const ticket = new URL(location).searchParams.get('ticket')
    const check = (audience: string) =>
      service.client('POST', '/api/2/auth/ticket/check', { body: { ticket, audience, include: ['context'] } })
    // Another product that got hold of the ticket could name itself or nothing. One that names itself is refused.
    expect((await check('https://other.example.com')).status).toBe(404)
    expect(await check(product)).toMatchObject({ status: 200, body: { context: { methods: ['saml'] } } })
  })

  it('requests a fresh authentication and the configured name format', async () => {
    const format = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
    const strict = await addProvider(service, await makeIdp(), { nameid_format: format })
    const start = await new TestBrowser(service).get(`${strict.loginUrl}?force_authn=true`)
    const { root } = strict.idp.read(start.headers.get('location') ?? '', [strict.own.pem])
    expect(root.attributes['ForceAuthn']).toBe('true')
    expect(root.children.find(({ name }) => name === 'NameIDPolicy')?.attributes).toEqual({
      Format: format,
      AllowCreate: 'true',
    })
  })

  it.each([
    { name: 'the response alone signed', facts: { sign: 'response' as const } },
    { name: 'both signed', facts: { sign: 'both' as const } },
    { name: 'signed by an elliptic key', curve: 'P-256' as const, facts: {} },
    { name: 'the second of two certificates', facts: {}, isSecond: true },
  ])('is accepted with $name', async ({ facts, curve, isSecond }) => {
    const other = await makeIdp(await makeCertificate(curve ? { curve } : {}))
    const old = await makeCertificate()
    const certificate = isSecond ? `${old.pem}${other.signer.pem}` : other.signer.pem
    const one = await addProvider(service, other, { certificate })
    const { session } = await signInByConnection(service, one, facts)
    expect((await service.client('GET', '/api/2/users/me', { bearer: session })).status).toBe(200)
  })

  it.each([
    { content: 'aes256-gcm' as const, digest: 'sha1' as const },
    { content: 'aes128-gcm' as const, digest: 'sha256' as const },
    { content: 'aes256-cbc' as const, digest: 'sha1' as const, isResponseSigned: true },
    { content: 'aes128-cbc' as const, digest: 'sha512' as const },
  ])(
    'is accepted with encryption by $content and a key digest of $digest',
    async ({ content, digest, isResponseSigned = false }) => {
      const encrypt = { certificate: provider.own.pem, content, digest }
      const { session } = await signInByConnection(service, provider, {
        encrypt,
        sign: isResponseSigned ? 'both' : 'assertion',
      })
      expect((await service.client('GET', '/api/2/users/me', { bearer: session })).status).toBe(200)
    },
  )

  it('expires when the provider’s session does', async () => {
    const { session } = await signInByConnection(service, provider, { times: { sessionNotOnOrAfter: 3600 } })
    const me = () => service.client('GET', '/api/2/users/me', { bearer: session })
    expect((await me()).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3599_000 })
    expect((await me()).status).toBe(200)
    vi.setSystemTime(Date.now() + 2000)
    expect((await me()).status).toBe(401)
  })

  it('counts once in twenty concurrent posts', async () => {
    const { browser, target } = await startSignIn(service, provider)
    const { form } = await idp.answer(target)
    const before = await countSessions(service)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => browser.clone().post(target.acsUrl, form)),
    )
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19)
    expect(await countSessions(service)).toBe(before + 1)
  })

  it('accepts one of several valid responses', async () => {
    const { browser, target } = await startSignIn(service, provider)
    const forms = await Promise.all(Array.from({ length: 10 }, () => idp.answer(target)))
    const before = await countSessions(service)
    const answers = await Promise.all(forms.map(({ form }) => browser.clone().post(target.acsUrl, form)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(await countSessions(service)).toBe(before + 1)
  })

  it('accepts an assertion once, even in separate flows', async () => {
    const first = await startSignIn(service, provider)
    const { form } = await idp.answer(first.target, { id: '_the-same', nameId: 'replay@example.com' })
    expect((await first.browser.post(provider.assertionUrl, form)).status).toBe(303)
    const second = await startSignIn(service, provider)
    const { form: next } = await idp.answer(second.target, { id: '_the-same', nameId: 'replay@example.com' })
    const refused = await second.browser.post(provider.assertionUrl, next)
    expect(refused.status).toBe(401)
    expect(refused.text).toContain('The sign-in has already ended')
  })

  it('works in two tabs concurrently', async () => {
    const browser = new TestBrowser(service)
    const one = await startSignIn(service, provider, '?return_to=/one', browser)
    const two = await startSignIn(service, provider, '?return_to=/two', browser)
    for (const [{ target }, path] of [[one, '/one'] as const, [two, '/two'] as const]) {
      const posted = await browser.post(target.acsUrl, (await idp.answer(target)).form)
      const back = await browser.get(posted.headers.get('location') ?? '', 'cross-site')
      expect(back.headers.get('location')).toBe(publicUrl + path)
    }
  })

  it('is audited, and so are rejections', async () => {
    const { user } = await addSignedIn(service)
    const { session } = await signInByConnection(service, provider, { nameId: 'on-record@example.com' })
    const me = await service.client('GET', '/api/2/users/me', { bearer: session })
    const bad = await startSignIn(service, provider)
    await bad.browser.post(provider.assertionUrl, (await idp.answer(bad.target, { audiences: ['x'] })).form)
    const records = await service.client('GET', `/api/2/auth/audit-events?limit=1000`, {
      bearer: provider.admin,
    })
    expect(records.status).toBe(200)
    const events = records.body as readonly Record<string, unknown>[]
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'login.succeeded', user: me.body.id, target: `saml:${provider.id}` }),
    )
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'company_account.created',
        user: me.body.id,
        target: `saml:${provider.id}`,
      }),
    )
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'login.failed', target: `saml:${provider.id}`, outcome: 'audience' }),
    )
    expect(user.id).toBeGreaterThan(0)
  })
})

describe('the start of a sign-in', () => {
  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https:\\\\evil.example',
    '/\t/evil.example',
    '%09//evil.example',
    'https://app.example.com.evil.example/',
    'https://app.example.com@evil.example/',
    'https://user:pass@app.example.com/',
    'https://app.example.com:444/',
    'http://app.example.com/',
    'https://app.example.com%2eevil.example/',
    'https://evil.example/https://app.example.com/',
    'https://app\u3002example\u3002com.evil.example/',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'blob:https://app.example.com/x',
    'reports',
    '?x',
    '#x',
    ' /reports',
    '/rep\u0000orts',
    '/rep\u202eorts',
  ])('refuses the return address %j', async (returnTo) => {
    const query = `?return_to=${encodeURIComponent(returnTo)}`
    const answer = await service.client('GET', `/api/2/auth/saml/${provider.id}/sso${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual([expect.objectContaining({ field: 'return_to' })])
    expect(answer.cookies).toEqual([])
  })

  it.each([
    ['/', `${publicUrl}/`],
    ['/%2f%2fevil.example', `${publicUrl}/%2f%2fevil.example`],
    ['/..//evil.example', `${publicUrl}//evil.example`],
    ['https://app\u3002example\u3002com/x', `${product}/x`],
    ['HTTPS://APP.example.COM:443/x', `${product}/x`],
  ])('treats the return address %j as %s', async (returnTo, expected) => {
    const { browser, target } = await startSignIn(
      service,
      provider,
      `?return_to=${encodeURIComponent(returnTo)}`,
    )
    const posted = await browser.post(target.acsUrl, (await idp.answer(target)).form)
    const back = await browser.get(posted.headers.get('location') ?? '', 'cross-site')
    const to = new URL(back.headers.get('location') ?? '')
    to.searchParams.delete('ticket')
    expect(to.href).toBe(expected)
  })

  it('is open to providers that clients hide, and answers 404 for unknown ones', async () => {
    await patchProvider(service, provider, { disabled_in_client: true })
    expect((await new TestBrowser(service).get(provider.loginUrl)).status).toBe(303)
    await patchProvider(service, provider, { disabled_in_client: false })
    expect((await service.client('GET', '/api/2/auth/saml/2147483647/sso')).status).toBe(404)
  })

  it('sends no signature after the key was removed, as the metadata says', async () => {
    const bare = await addProvider(service, await makeIdp(), {
      sp_certificate: null,
      sp_certificate_key: null,
    })
    const answer = await new TestBrowser(service).get(bare.loginUrl)
    const to = new URL(answer.headers.get('location') ?? '')
    expect([...to.searchParams.keys()]).toEqual(['SAMLRequest', 'RelayState'])
    const metadata = await service.client('GET', `/api/2/auth/saml/${bare.id}/metadata`)
    expect(metadata.text).toContain('AuthnRequestsSigned="false"')
  })
})

describe('the return from a sign-in', () => {
  it('reports blocked cookies instead of starting over', async () => {
    const { browser, target } = await startSignIn(service, provider)
    const posted = await browser.post(target.acsUrl, (await idp.answer(target)).form)
    const forgetful = new TestBrowser(service)
    const page = await forgetful.get(posted.headers.get('location') ?? '', 'cross-site')
    expect(page.status).toBe(401)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.text).toContain('Allow cookies for auth.example.com')
    expect(page.text).not.toMatch(/<script|http-equiv/)
    const lost = await forgetful.post(target.acsUrl, (await idp.answer(target)).form)
    expect(lost.status).toBe(401)
    expect(lost.text).toContain('Allow cookies for auth.example.com')
  })

  it('without a finished sign-in leads to the sign-in page with an error', async () => {
    const answer = await new TestBrowser(service).get(`/api/2/auth/saml/${provider.id}/sso/return`)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`${product}/start?error=sign_in_not_finished`)
  })

  it('accepts no response: those come by POST', async () => {
    const answer = await service.client('GET', `/api/2/auth/saml/${provider.id}/sso/return?SAMLResponse=x`)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual([
      { field: 'SAMLResponse', message: 'is accepted only by POST to the assertion endpoint' },
    ])
  })

  it('gives a ticket only to the session that it was issued with', async () => {
    const { browser, target } = await startSignIn(
      service,
      provider,
      `?return_to=${encodeURIComponent(`${product}/x`)}`,
    )
    const posted = await browser.post(target.acsUrl, (await idp.answer(target)).form)
    const onward = (posted.headers.get('location') ?? '').slice(publicUrl.length)
    const stranger = await addSignedIn(service)
    const stolen = await service.client('GET', onward, { bearer: stranger.bearer })
    expect(stolen.status).toBe(303)
    expect(stolen.headers.get('location')).not.toContain('ticket')
  })
})

describe('a rejected sign-in', () => {
  const refused = async (accept: string) => {
    const { browser, target } = await startSignIn(service, provider)
    const { form } = await idp.answer(target, { audiences: ['https://elsewhere.example.com'] })
    const cookie = browser.cookieHeader(provider.assertionUrl, 'cross-site', 'POST')
    return service.client('POST', `/api/2/auth/saml/${provider.id}/assertion`, {
      raw: new URLSearchParams(Object.entries(form)).toString(),
      headers: { accept, cookie, 'content-type': 'application/x-www-form-urlencoded' },
    })
  }

  it('shows a page that names the provider and runs no script', async () => {
    await patchProvider(service, provider, { name: 'Okta <b>&' })
    const page = await refused('text/html')
    expect(page.status).toBe(401)
    expect(page.text).toContain('Signing in with Okta &lt;b&gt;&amp; did not work.')
    expect(page.text).not.toMatch(/assertion|audience|SAML|bearer/)
    expect(page.text).toContain(page.headers.get('x-request-id') ?? 'none')
    expect(page.text).toContain(`href="/api/2/auth/saml/${provider.id}/sso">Try again</a>`)
    expect(page.text).toContain(`href="${product}/start">`)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('script-src')
    await patchProvider(service, provider, { name: 'Okta' })
  })

  it('links back to the start with the original return address', async () => {
    const query = `?return_to=${encodeURIComponent('/reports?a=1&b="2"')}&force_authn=true`
    const { browser, target } = await startSignIn(service, provider, query)
    const { form } = await idp.answer(target, { audiences: ['x'], times: { authenticated: 0 } })
    for (const page of [await browser.post(target.acsUrl, form), await browser.post(target.acsUrl, form)]) {
      expect(page.status).toBe(401)
      const again = /href="([^"]+)">Try again</.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
      const second = await startSignIn(service, { ...provider, loginUrl: publicUrl + again }, '', browser)
      const answer = await idp.answer(second.target, { times: { authenticated: 1 } })
      const posted = await browser.post(target.acsUrl, answer.form)
      const back = await browser.get(posted.headers.get('location') ?? '', 'cross-site')
      expect(back.headers.get('location')).toBe(`${publicUrl}/reports?a=1&b=%222%22`)
    }
    // Details of a sign-in in another browser are not shown.
    const foreign = await new TestBrowser(service).post(target.acsUrl, form)
    expect(foreign.text).toContain(`href="/api/2/auth/saml/${provider.id}/sso">Try again</a>`)
    expect(foreign.text).not.toContain('reports')
  })

  it('links back to the start for a browser that lost its session', async () => {
    const { browser, target } = await startSignIn(service, provider, '?return_to=/reports')
    const posted = await browser.post(target.acsUrl, (await idp.answer(target)).form)
    const page = await new TestBrowser(service).get(posted.headers.get('location') ?? '', 'cross-site')
    expect(page.status).toBe(401)
    expect(page.text).toContain(`/sso?return_to=${encodeURIComponent(`${publicUrl}/reports`)}">Try again</a>`)
    // Viewing the page does not use up the sign-in.
    expect((await browser.get(posted.headers.get('location') ?? '', 'cross-site')).status).toBe(303)
  })

  it('is a problem body for other clients', async () => {
    const answer = await refused('application/json')
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.body).toMatchObject({ status: 401, code: 'login_failed', reason: 'audience' })
  })

  it('reports the provider’s own status to programs', async () => {
    const { browser, target } = await startSignIn(service, provider)
    const { form } = await idp.answer(target, {
      sign: 'none',
      response: {
        status: 'urn:oasis:names:tc:SAML:2.0:status:Responder',
        subStatus: 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed',
      },
    })
    const answer = await browser.postByScript(target.acsUrl, form)
    expect(answer.status).toBe(401)
    expect(answer.body.detail).toContain('it answered AuthnFailed')
  })

  it('with tried-out cipher text is rate limited for that network', async () => {
    const answers: Answer[] = []
    for (let tries = 0; tries < 21; tries++) {
      const { browser, target } = await startSignIn(service, provider)
      const encrypt = { certificate: (await otherCertificate).pem, content: 'aes128-cbc' as const }
      answers.push(await browser.post(target.acsUrl, (await idp.answer(target, { encrypt })).form))
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 401), 429])
    // The page explains itself, because its reader may never have seen another page of the service.
    const last = answers.at(-1)
    expect(last?.text).toContain('An administrator must renew the connection')
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
    // A browser with readable cipher text is still accepted.
    const { session } = await signInByConnection(service, provider, {
      encrypt: { certificate: provider.own.pem },
    })
    expect(session).toMatch(/^lks_/)
  })

  it('uses up the pending sign-in: the next attempt must start again', async () => {
    const { browser, target } = await startSignIn(service, provider)
    await browser.post(target.acsUrl, (await idp.answer(target, { audiences: ['x'] })).form)
    const second = await browser.post(target.acsUrl, (await idp.answer(target)).form)
    expect(second.status).toBe(401)
    expect(sessionOf(second)).toBeUndefined()
  })
})
