import { describe, expect, it } from 'vitest'
import { addLink, bundle, redeem } from '../support/links.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  readRedirect,
  readReturnPath,
} from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* What an attacker can put into an authorization, and who may complete one. */

const callback = 'https://app.example.com/callback?tenant=1'
const redirectUris = [callback, 'https://app.example.com', 'com.example.app:/callback']
const service = await useService()
const person = await addSignedIn(service, { permissions: ['media:access'] })
const app = await addRelyingParty(service, {
  type: 'public',
  redirect_uris: redirectUris,
  scopes: ['openid', 'profile'],
})

type Overrides = Readonly<Record<string, string | undefined>>

const { challenge } = createPkce()
const authorize = (overrides: Overrides = {}, bearer: string | undefined = person.bearer, extra = '') =>
  service.client('GET', `/oauth2/authorize?${buildAuthorization(app, challenge, overrides)}${extra}`, {
    ...(bearer === undefined ? {} : { bearer }),
    headers: { accept: 'text/html' },
  })
const signedOut = (overrides: Overrides = {}) =>
  service.client('GET', `/oauth2/authorize?${buildAuthorization(app, challenge, overrides)}`)

/** What a deployed page says. In local mode, as on the sources, it has the details in one block for the developer of the app. */
const shownToStrangers = ({ text }: { readonly text: string }): string =>
  process.env['TEST_TARGET'] === 'deployed' ? text : text.replace(/<pre.*?<\/pre>/s, '')

describe('a redirect address', () => {
  it.each(redirectUris.filter((uri) => uri.startsWith('https:')))(
    '%s works as it was registered',
    async (redirect_uri) => {
      const answer = await authorize({ redirect_uri })
      const location = answer.headers.get('location') ?? ''
      expect(location.startsWith(redirect_uri)).toBe(true)
      expect(readRedirect(answer)).toMatchObject({ code: expect.any(String), iss: service.url })
    },
  )

  it.each([
    undefined,
    '',
    'https://app.example.com/callback',
    'https://app.example.com/callback?tenant=2',
    'https://app.example.com/callback?tenant=1&tenant=2',
    'https://app.example.com/callback/?tenant=1',
    'https://app.example.com/callback/../callback?tenant=1',
    'https://app.example.com/Callback?tenant=1',
    'https://APP.example.com/callback?tenant=1',
    'https://app.example.com:443/callback?tenant=1',
    'https://app.example.com:8443/callback?tenant=1',
    'http://app.example.com/callback?tenant=1',
    `${callback}#fragment`,
    `${callback}%0d%0aset-cookie:x=1`,
    `${callback}\\@evil.example`,
    'https://app.example.com.evil.example/callback?tenant=1',
    'https://evil.example/callback?tenant=1',
    'https://app.example.com@evil.example/',
    'https://user@app.example.com/callback?tenant=1',
    '//app.example.com/callback?tenant=1',
    '/callback?tenant=1',
    'javascript:alert(1)',
    'com.example.app:/other',
    'https://app.example.com/',
    ` ${callback}`,
    `${callback},https://evil.example`,
  ])('%j is refused with a page that leads nowhere', async (redirect_uri) => {
    const answer = await authorize({ redirect_uri })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(answer.text).toContain('Go back to the app')
    expect(shownToStrangers(answer)).not.toMatch(/evil|redirect_uri|invalid_|OAuth|client/)
    expect(answer.headers.get('content-security-policy')).not.toContain('unsafe')
  })

  it('of one client is not one of another', async () => {
    const other = await addRelyingParty(service, { redirect_uris: ['https://other.example/cb'] })
    const answer = await authorize({ client_id: other.client.clientId })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })
})

describe('an authorization', () => {
  it.each([
    [{ client_id: undefined }],
    [{ client_id: '1-000000000000000000000000' }],
    [{ client_id: 'https://evil.example/client' }],
    [{ client_id: '__proto__' }],
    [{ client_id: 'x'.repeat(5000) }],
  ] as Overrides[][])('of an unknown client is refused with a page: %j', async (overrides) => {
    const answer = await authorize(overrides)
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })

  it.each([
    [{ code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: 's256' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ code_challenge: `${challenge}=` }, 'invalid_request'],
    [{ response_type: undefined }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'id_token' }, 'unsupported_response_type'],
    [{ response_type: 'code id_token' }, 'unsupported_response_type'],
    [{ response_type: 'token', response_mode: 'query' }, 'invalid_request'],
    [{ response_type: 'none' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ response_mode: 'web_message' }, 'unsupported_response_mode'],
    [{ scope: 'openid email' }, 'invalid_scope'],
    [{ scope: 'openid "' }, 'invalid_scope'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ prompt: 'create' }, 'invalid_request'],
    [{ max_age: '-1' }, 'invalid_request'],
    [{ max_age: 'soon' }, 'invalid_request'],
    [{ request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    [{ request_uri: 'https://evil.example/request' }, 'request_uri_not_supported'],
    [{ registration: '{}' }, 'registration_not_supported'],
    [{ resource: 'https://evil.example' }, 'invalid_target'],
    [{ resource: 'not a URI' }, 'invalid_target'],
    [{ id_token_hint: 'x.y.z' }, 'invalid_request'],
    [{ id_token_hint: 'eyJhbGciOiJub25lIn0.e30.' }, 'invalid_request'],
  ] as [Overrides, string][])('with %j is refused with %s', async (overrides, error) => {
    const answer = await authorize(overrides)
    expect(answer.status).toBe(303)
    // The library answers in the mode that was asked for if it knows it.
    const location = (answer.headers.get('location') ?? '').replace('#', '&')
    expect(location.startsWith(callback)).toBe(true)
    const sent = new URL(location).searchParams
    expect([sent.get('error'), sent.get('state'), sent.get('iss')]).toEqual([error, 'the state', service.url])
    expect(sent.get('code')).toBeNull()
  })

  it.each(['client_id', 'redirect_uri', 'state', 'scope', 'code_challenge', 'resource', 'unheard_of'])(
    'that repeats %s is refused',
    async (name) => {
      const answer = await authorize({}, person.bearer, `&${name}=a&${name}=b`)
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    },
  )

  it('ignores parameters that it does not know, in any order', async () => {
    const query = buildAuthorization(app, challenge, {
      claims: '{"id_token":{"email":null}}',
      unheard_of: '1',
    })
    const reversed = new URLSearchParams([...query].reverse())
    const answer = await service.client('GET', `/oauth2/authorize?${reversed}`, { bearer: person.bearer })
    expect(readRedirect(answer)).toHaveProperty('code')
  })

  it('that is refused leads to the client only after someone has signed in', async () => {
    for (const overrides of [{ scope: 'openid email' }, { response_type: 'none' }, { max_age: 'soon' }]) {
      const answer = await signedOut(overrides)
      expect(answer.status).toBe(303)
      const page = new URL(answer.headers.get('location') ?? '')
      expect(page.origin).toBe(service.url)
      expect(answer.cookies).toEqual([])
      const back = new URL(page.searchParams.get('return_to') ?? '')
      expect(back.origin + back.pathname).toBe(`${service.url}/oauth2/authorize`)
      const after = await service.client('GET', back.pathname + back.search, { bearer: person.bearer })
      expect(after.headers.get('location')).toMatch(/^https:\/\/app\.example\.com\/callback\?.*error=/)
    }
    const silent = await signedOut({ prompt: 'none', scope: 'openid email' })
    expect(readRedirect(silent)).toMatchObject({ error: 'invalid_scope', state: 'the state' })
    // An address that is not the client's is never part of it.
    const foreign = await signedOut({ redirect_uri: 'https://evil.example/', scope: 'openid email' })
    expect([foreign.status, foreign.headers.get('location')]).toEqual([400, null])
  })

  it('that is posted becomes a GET, because browsers do not post the session cookie across sites', async () => {
    const raw = String(buildAuthorization(app, challenge))
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await service.client('POST', '/oauth2/authorize', { raw, headers })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/oauth2/authorize?${raw}`])
    const large = await service.client('POST', '/oauth2/authorize', {
      raw: `state=${'x'.repeat(7000)}`,
      headers,
    })
    expect(large.status).toBe(413)
    const twice = await service.client('POST', '/oauth2/authorize', { raw: `${raw}&state=other`, headers })
    expect(twice.status).toBe(400)
  })

  it('sends a form to the client for form_post, with nothing that an attacker can add to it', async () => {
    const state = '"><script>alert(1)</script>'
    const answer = await authorize({ response_mode: 'form_post', state })
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
    expect(answer.text).toContain(`action="${callback}"`)
    expect(answer.text).not.toContain('<script>alert')
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/=]+'; /,
    )
  })

  it('needs a session of the user themselves', async () => {
    const link = await addLink(service, person.bearer, { bundles: [bundle()] })
    const guest = (await redeem(service, link.token)).body.session_key
    const token = await service.client('POST', '/api/2/api-tokens', {
      bearer: person.bearer,
      body: { name: 'x' },
    })
    for (const bearer of [undefined, guest, token.body.token, `${person.bearer}x`]) {
      const answer = bearer === undefined ? await signedOut() : await authorize({}, bearer)
      expect(answer.headers.get('location')).toMatch(new RegExp(`^${service.url}/\\?return_to=`))
    }
    const silent = await signedOut({ prompt: 'none' })
    expect(readRedirect(silent)).toMatchObject({ error: 'login_required', state: 'the state' })
  })
})

const cookieOf = (bearer: string, cookies: readonly string[]): string =>
  [`latchkey=${bearer}`, ...cookies.map((cookie) => cookie.split(';')[0])].join('; ')

/** Starts an authorization in a browser that is not signed in. Returns where the sign-in page leads back to. */
const start = async (overrides: Overrides = {}, bearer?: string) => {
  const answer = bearer === undefined ? await signedOut(overrides) : await authorize(overrides, bearer)
  const page = new URL(answer.headers.get('location') ?? '')
  return { page, cookies: answer.cookies, path: readReturnPath(answer) }
}
const resume = (path: string, cookie: string) =>
  service.client('GET', path, { headers: { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' } })

describe('an interaction', () => {
  it.each(['organization', 'organization_id'])('leads to the sign-in page with its %s', async (name) => {
    const { page } = await start({ [name]: '12' })
    expect(page.searchParams.get(name)).toBe('12')
  })

  it('leads to the sign-in page with the hints of the client, and back to the client', async () => {
    const { page, cookies, path } = await start({ login_hint: 'ada@example.com', ui_locales: 'de en' })
    expect(Object.fromEntries(page.searchParams)).toEqual({
      return_to: `${service.url}${path}`,
      login_hint: 'ada@example.com',
      ui_locales: 'de en',
    })
    const [, uid, id] = /^\/oauth2\/interaction\/([\w-]{22})\?id=([\w-]{24})$/.exec(path) ?? []
    expect(uid).toBeDefined()
    const end = 'HttpOnly; SameSite=Lax; Path='
    const name = Buffer.from(app.client.clientId).toString('base64url')
    expect(cookies).toEqual([
      expect.stringMatching(new RegExp(`^latchkey-oidc=[\\w-]{43}; ${end}/; Max-Age=3600$`)),
      expect.stringMatching(
        new RegExp(
          `^latchkey-oidc-interaction=[\\w.-]{100,4000}; ${end}/oauth2/interaction/${uid}; Max-Age=3600$`,
        ),
      ),
      expect.stringMatching(
        new RegExp(`^latchkey-oidc-client=${uid}\\.${id}\\.${name}\\.\\d+; ${end}/; Max-Age=3600$`),
      ),
    ])
    const answer = await resume(path, cookieOf(person.bearer, cookies))
    expect(readRedirect(answer)).toMatchObject({ code: expect.any(String), state: 'the state' })
    // Nothing of the authorization stays in the browser.
    expect(answer.cookies).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          new RegExp(`^latchkey-oidc-interaction=; ${end}/oauth2/interaction/${uid}; Max-Age=0$`),
        ),
        expect.stringMatching(new RegExp(`^latchkey-oidc-client=; ${end}/; Max-Age=0$`)),
      ]),
    )
  })

  it('can only be completed by the browser that started it', async () => {
    const { cookies, path } = await start()
    const victim = (await start()).cookies
    for (const cookie of [`latchkey=${person.bearer}`, cookieOf(person.bearer, victim), '']) {
      const answer = await resume(path, cookie)
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
      expect(answer.text).toContain('This sign-in is no longer valid')
    }
    expect((await resume(path, cookieOf(person.bearer, cookies))).status).toBe(303)
  })

  it('is completed once, also concurrently', async () => {
    const { cookies, path } = await start()
    const cookie = cookieOf(person.bearer, cookies)
    const answers = await Promise.all(Array.from({ length: 4 }, () => resume(path, cookie)))
    const codes = answers.filter((answer) => readRedirect(answer)['code'] !== undefined)
    expect(codes).toHaveLength(1)
    expect((await resume(path, cookie)).status).toBe(400)
  })

  it('asks for a new sign-in if the client does, and sends the browser back a few times only', async () => {
    for (const overrides of [{ prompt: 'login' }, { max_age: '0' }]) {
      const { page, cookies, path } = await start(overrides, person.bearer)
      expect(page.searchParams.get('prompt')).toBe('login')
      const stale = cookieOf(person.bearer, cookies)
      const back = await resume(path, stale)
      expect(back.headers.get('location')).toBe(page.href)
      const other = await addSignedIn(service)
      const answer = await resume(path, cookieOf(other.bearer, cookies))
      expect(readRedirect(answer)).toHaveProperty('code')
    }
    const { cookies, path } = await start({ prompt: 'login' }, person.bearer)
    const statuses: number[] = []
    const jar = [...cookies]
    for (let at = 0; at < 6; at++) {
      const answer = await resume(path, cookieOf(person.bearer, jar))
      statuses.push(answer.status)
      // The browser keeps the new count in place of the one before.
      const [counted] = answer.cookies
      if (counted) jar[1] = counted
    }
    expect(statuses).toEqual([303, 303, 303, 303, 303, 400])
  })

  it('accepts a confirmed identity as a new sign-in', async () => {
    const { cookies, path } = await start({ prompt: 'login' }, person.bearer)
    const body = { password: person.password }
    await service.client('POST', '/api/2/auth/reauthenticate', { bearer: person.bearer, body })
    expect(readRedirect(await resume(path, cookieOf(person.bearer, cookies)))).toHaveProperty('code')
  })

  it('lets the user choose an account without a new proof, but not instead of one', async () => {
    const chosen = await start({ prompt: 'select_account' }, person.bearer)
    expect(chosen.page.searchParams.get('prompt')).toBe('select_account')
    const answer = await resume(chosen.path, cookieOf(person.bearer, chosen.cookies))
    expect(readRedirect(answer)).toHaveProperty('code')
    const both = await start({ prompt: 'select_account login' }, person.bearer)
    const back = await resume(both.path, cookieOf(person.bearer, both.cookies))
    expect(back.headers.get('location')).toContain('prompt=login')
  })

  it('does not accept a session of an access link', async () => {
    const { cookies, path } = await start()
    const link = await addLink(service, person.bearer, { bundles: [bundle()] })
    const guest = (await redeem(service, link.token)).body.session_key
    const answer = await resume(path, cookieOf(guest, cookies))
    expect(answer.headers.get('location')).toContain('prompt=login')
  })
})
