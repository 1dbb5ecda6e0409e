import { randomUUID } from 'node:crypto'
import { decodeJwt, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { readHiddenFields } from '../support/decisions.ts'
import {
  agentRedirectUri,
  allowAgents,
  type DocumentHost,
  startDocumentHost,
} from '../support/document-host.ts'
import { buildAuthorization, createPkce, postToken, readRedirect } from '../support/oidc.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Clients that no administrator registered: a document on an allowed host describes them, and the user is asked each time. */

const films = 'https://films.example.com/mcp'
const music = 'https://music.example.com/mcp'
const texts = { en: 'Watch <b>films</b>' }
const minute = 60_000
vi.useFakeTimers({ toFake: ['Date'] })
const host = closeAfterTests(await startDocumentHost())
const other = closeAfterTests(await startDocumentHost())
const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'clientDocuments=200/600,lookUpFailures=1000/600',
})
await allowAgents(service, host.host, 'agents.example.com')
let admin: SignedInPerson = await addSignedIn(service, { permissions: ['system:admin-access'] })
const register = async (body: object): Promise<number> =>
  (await service.client('POST', '/api/2/protected-apis', { bearer: admin.bearer, body })).body.id
const filmsId = await register({
  ...{ name: 'Films', audience: films, unregistered_clients: true },
  permissions: ['films:view', 'films:edit'].map((name) => ({ name, texts })),
  scopes: [{ name: 'films.read', texts, permissions: ['films:view'] }],
})
await register({
  ...{ name: 'Music', audience: music },
  permissions: [{ name: 'music:play', texts }],
  scopes: [{ name: 'music.play', texts, permissions: ['music:play'] }],
})
let person: SignedInPerson
afterAll(() => vi.useRealTimers())
beforeEach(async () => {
  // Rate limits and sessions of the test before have ended.
  vi.setSystemTime(Date.now() + 11 * minute)
  admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  person = await addSignedIn(service, { permissions: ['films:view', 'films:edit', 'music:play'] })
})

const { challenge, verifier } = createPkce()
const cookieOf = (cookies: readonly string[] = [], bearer = person.bearer): string =>
  [`latchkey=${bearer}`, ...cookies.map((cookie) => cookie.split(';')[0])].join('; ')
const html = { accept: 'text/html' }

const authorize = (clientId: string, overrides: Readonly<Record<string, string | undefined>> = {}) => {
  const client = { clientId, redirect_uris: [agentRedirectUri], type: 'public' } as const
  const query = buildAuthorization({ client, secret: '' }, challenge, {
    ...{ scope: 'films.read offline_access', resource: films, nonce: undefined },
    ...overrides,
  })
  return service.client('GET', `/oauth2/authorize?${query}`, {
    headers: { ...html, cookie: cookieOf() },
  })
}
const pathOf = ({ headers }: Answer): string => new URL(headers.get('location') ?? '').pathname
/** The page that asks the user, and its cookies. */
const ask = async (clientId: string, overrides: Readonly<Record<string, string | undefined>> = {}) => {
  const started = await authorize(clientId, overrides)
  const path = pathOf(started)
  const cookie = cookieOf(started.cookies)
  return { started, path, cookie, page: await service.client('GET', path, { headers: { ...html, cookie } }) }
}
type Asked = Pick<Awaited<ReturnType<typeof ask>>, 'path' | 'cookie' | 'page'>
const answer = (
  { path, cookie, page }: Asked,
  text = 'answer=continue',
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  service.client('POST', path, {
    raw: `${text}&${new URLSearchParams(readHiddenFields(page))}`,
    headers: {
      ...{ 'content-type': 'application/x-www-form-urlencoded', cookie, accept: 'text/html' },
      ...{ 'sec-fetch-site': 'same-origin', ...headers },
    },
  })
const getTokens = async (clientId: string, overrides: Readonly<Record<string, string | undefined>> = {}) => {
  const { code = '' } = readRedirect(await answer(await ask(clientId, overrides)))
  return exchange(clientId, code)
}
const exchange = (clientId: string, code: string) =>
  postToken(service, {
    ...{ grant_type: 'authorization_code', code, code_verifier: verifier },
    ...{ redirect_uri: agentRedirectUri, client_id: clientId },
  })
const refresh = (clientId: string, token: string) =>
  postToken(service, { grant_type: 'refresh_token', refresh_token: token, client_id: clientId })
const listClients = async () =>
  (await service.client('GET', '/api/2/oidc-clients?limit=100', { bearer: admin.bearer })).body

describe('an agent of an allowed host', () => {
  it('gets what the user agrees to, under its address and not under the name that it claims', async () => {
    const agent = host.describe('/agent.json')
    const { started, ...asked } = await ask(agent)
    const { page } = asked
    expect([started.status, page.status]).toEqual([303, 200])
    expect(page.text).toContain(`Give ${host.host} access?`)
    expect(page.text).toContain(agent)
    expect(page.text).toContain('Films (Watch &lt;b&gt;films&lt;/b&gt;)')
    expect(page.text).not.toContain('Your bank')
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://127.0.0.1:49200; ",
    )
    const tokens = await exchange(agent, readRedirect(await answer(asked))['code'] ?? '')
    expect(decodeJwt(tokens.body.access_token)).toMatchObject({
      ...{ client_id: agent, aud: films, scope: 'films.read offline_access' },
      permissions: ['films:view'],
    })
    const renewed = await refresh(agent, tokens.body.refresh_token)
    expect(renewed.status).toBe(200)
    expect(decodeJwt(renewed.body.access_token)).toMatchObject({ aud: films, permissions: ['films:view'] })
  })

  it('asks in the language of the user, also with the texts of the API', async () => {
    const agent = host.describe('/arabic.json')
    const path = `/api/2/protected-apis/${filmsId}`
    const scope = { name: 'films.read', permissions: ['films:view'] }
    const change = async (changed: object) => {
      const body = { scopes: [{ ...scope, texts: { ...texts, ...changed } }] }
      expect((await service.client('PATCH', path, { bearer: admin.bearer, body })).status).toBe(200)
    }
    await change({ ar: 'مشاهدة الأفلام' })
    const started = await authorize(agent)
    const headers = { ...html, cookie: cookieOf(started.cookies), 'accept-language': 'ar' }
    const page = await service.client('GET', pathOf(started), { headers })
    await change({})
    expect(page.text).toContain('مشاهدة الأفلام')
  })

  it('asks each time, also after the user agreed', async () => {
    const agent = host.describe('/again.json')
    expect((await getTokens(agent)).status).toBe(200)
    const { page } = await ask(agent)
    expect([page.status, page.text.includes('access?')]).toEqual([200, true])
    expect(readRedirect(await authorize(agent, { prompt: 'none' }))).toMatchObject({
      error: 'interaction_required',
    })
  })

  it('learns that the user refused, and nothing else', async () => {
    const asked = await ask(host.describe('/refused.json'))
    const { error, code, state } = readRedirect(await answer(asked, 'answer=cancel'))
    expect([error, code, state]).toEqual(['access_denied', undefined, 'the state'])
  })

  it('gets no token for an API that does not allow it, or no longer does', async () => {
    const agent = host.describe('/apis.json')
    const refused = await ask(agent, { resource: music, scope: 'music.play' })
    expect(readRedirect(refused.started)).toMatchObject({ error: 'invalid_target' })
    const { body } = await getTokens(agent)
    const introspect = async () => (await refresh(agent, body.refresh_token)).body.error
    const change = (unregistered_clients: boolean) =>
      service.client('PATCH', `/api/2/protected-apis/${filmsId}`, {
        bearer: admin.bearer,
        body: { unregistered_clients },
      })
    await change(false)
    expect(await introspect()).toBe('invalid_target')
    await change(true)
  })

  it('gets no permissions or groups in ID tokens, and no token for itself', async () => {
    const agent = host.describe('/identity.json')
    for (const scope of ['openid groups', 'openid permissions']) {
      const { started } = await ask(agent, { scope, resource: undefined })
      expect(readRedirect(started)['error']).toBe('invalid_scope')
    }
    const { body } = await getTokens(agent, { scope: 'openid profile', resource: undefined })
    expect(decodeJwt(body.id_token)).not.toHaveProperty('permissions')
    expect(decodeJwt(body.id_token)).toMatchObject({ aud: agent, sub: String(person.user.id) })
    const machine = await postToken(service, {
      ...{ grant_type: 'client_credentials', client_id: agent, resource: films },
    })
    expect([machine.status, machine.body.access_token]).toEqual([400, undefined])
  })

  it('is shown to its user and to administrators, who can end it', async () => {
    const agent = host.describe('/ended.json')
    const tokens = (await getTokens(agent)).body
    const { body: apps } = await service.client('GET', '/api/2/users/me/apps', { bearer: person.bearer })
    expect(apps.map(({ name }: { name: string }) => name)).toContain(agent)
    const { id } = (await listClients()).find(({ name }: { name: string }) => name === agent)
    const path = `/api/2/oidc-clients/${id}`
    const changed = await service.client('PATCH', path, {
      bearer: admin.bearer,
      body: { redirect_uris: ['https://evil.example/callback'] },
    })
    expect(changed.status).toBe(409)
    expect((await service.client('DELETE', path, { bearer: admin.bearer })).status).toBe(204)
    expect((await refresh(agent, tokens.refresh_token)).status).toBe(401)
    vi.setSystemTime(Date.now() + 1000)
    // It is a new client after that, which has nothing of the one before.
    expect((await getTokens(agent)).status).toBe(200)
    expect((await refresh(agent, tokens.refresh_token)).status).toBe(400)
  })
})

describe('a document', () => {
  it.each<[string, (path: string) => unknown]>([
    ['of another client', () => ({ client_id: 'https://agents.example.com/agent.json' })],
    ['without redirect URIs', () => ({ redirect_uris: [] })],
    ['with too many redirect URIs', () => ({ redirect_uris: Array(21).fill(agentRedirectUri) })],
    ['with a redirect URI of another host', () => ({ redirect_uris: ['https://evil.example/'] })],
    ['with the redirect URI of an app', () => ({ redirect_uris: ['com.example.app:/callback'] })],
    ['with a script as redirect URI', () => ({ redirect_uris: ['javascript:alert(1)'] })],
    ['with a secret', () => ({ client_secret: 'x' })],
    ['with another way to prove who it is', () => ({ token_endpoint_auth_method: 'client_secret_basic' })],
    ['with a prototype instead of fields', () => ({ redirect_uris: { __proto__: [agentRedirectUri] } })],
  ])('%s is refused', async (_, change) => {
    const path = `/refused-${encodeURIComponent(_)}.json`
    const refused = await authorize(host.describe(path, change(path) as Record<string, unknown>))
    expect([refused.status, refused.headers.has('location')]).toEqual([400, false])
  })

  it.each<[string, Parameters<DocumentHost['publish']>[1]]>([
    ['is missing', (response) => response.writeHead(404).end()],
    ['fails', (response) => response.writeHead(500).end()],
    ['is no JSON', 'hello'],
    ['is an array', '[]'],
    ['is nothing', 'null'],
    ['is huge', `{"x":"${'x'.repeat(17 * 1024)}"}`],
    ['is deep', '['.repeat(8000)],
    ['never ends', (response) => response.writeHead(200).write('{')],
    ['leads elsewhere', (response) => response.writeHead(302, { location: '/agent.json' }).end()],
    [
      'is compressed nonsense',
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
    ],
  ])('that %s is refused, and nothing is stored', async (name, published) => {
    const clientId = host.publish(`/broken-${encodeURIComponent(name)}`, published)
    const refused = await authorize(clientId)
    expect([refused.status, refused.headers.has('location')]).toEqual([400, false])
    expect((await exchange(clientId, 'x')).body.error).toBe('invalid_client')
  })

  it('is read again when it may have changed, and the client follows it', async () => {
    const agent = host.describe('/moving.json')
    const tokens = await getTokens(agent)
    host.describe('/moving.json', { redirect_uris: [`${new URL(agent).origin}/elsewhere`] })
    // It is not read for each authorization.
    expect((await ask(agent)).page.status).toBe(200)
    expect(host.reads.get('/moving.json')).toBe(1)
    vi.setSystemTime(Date.now() + 11 * minute)
    expect((await authorize(agent)).status).toBe(400)
    expect(host.reads.get('/moving.json')).toBe(2)
    // The user agreed to what it had.
    expect((await refresh(agent, tokens.body.refresh_token)).status).toBe(200)
  })

  it('that cannot be read for a while counts for a day, and not longer', async () => {
    const agent = host.describe('/down.json')
    await getTokens(agent)
    host.publish('/down.json', (response) => response.destroy())
    vi.setSystemTime(Date.now() + 20 * minute)
    expect((await ask(agent)).page.status).toBe(200)
    vi.setSystemTime(Date.now() + 24 * 60 * minute)
    expect((await authorize(agent)).status).toBe(400)
  })

  it('becomes one client, however many ask at once', async () => {
    const agent = host.describe('/parallel.json')
    const pages = await Promise.all(Array.from({ length: 20 }, () => ask(agent)))
    expect(new Set(pages.map(({ page }) => page.status))).toEqual(new Set([200]))
    const found = (await listClients()).filter(({ name }: { name: string }) => name === agent)
    expect(found).toHaveLength(1)
  })
})

const makeKey = async (kid: string, alg = 'ES256') => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid } as JWK }
}
type Key = Awaited<ReturnType<typeof makeKey>>
const sign = (clientId: string, { kid, alg, privateKey }: Key) => {
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: clientId, sub: clientId, aud: service.url, jti: randomUUID(), exp: now + 60 }
  return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(privateKey)
}
const prove = async (clientId: string, key: Key) => ({
  client_id: clientId,
  client_assertion: await sign(clientId, key),
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
})
const publishKeys = (path: string, keys: readonly object[]) => host.publish(path, JSON.stringify({ keys }))
const describeWithKeys = (path: string, changes: Readonly<Record<string, unknown>> = {}) =>
  host.describe(path, {
    ...{ token_endpoint_auth_method: 'private_key_jwt', jwks_uri: `${host.url}/keys.json` },
    ...changes,
  })
const exchangeBy = async (clientId: string, proof: Readonly<Record<string, string>>) => {
  const { code = '' } = readRedirect(await answer(await ask(clientId)))
  return postToken(service, {
    ...{ grant_type: 'authorization_code', code, code_verifier: verifier },
    ...{ redirect_uri: agentRedirectUri, ...proof },
  })
}

describe('an agent with a key', () => {
  it('proves each time who it is, by a key of its own document', async () => {
    const [own, stranger] = [await makeKey('own'), await makeKey('own')]
    publishKeys('/keys.json', [own.jwk])
    const agent = describeWithKeys('/proven.json')
    const elsewhere = describeWithKeys('/elsewhere.json')
    await authorize(elsewhere)
    const refusals = [
      { client_id: agent },
      { client_id: agent, client_secret: 'proven by an assertion' },
      await prove(agent, stranger),
      { ...(await prove(elsewhere, own)), client_id: agent },
    ]
    for (const proof of refusals)
      expect(await exchangeBy(agent, proof)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    const issued = await exchangeBy(agent, await prove(agent, own))
    expect(issued.status).toBe(200)
    expect((await refresh(agent, issued.body.refresh_token)).status).toBe(401)
    const proof = await prove(agent, own)
    const renew = () =>
      postToken(service, {
        ...{ grant_type: 'refresh_token', refresh_token: issued.body.refresh_token, ...proof },
      })
    const answers = await Promise.all([renew(), renew(), renew()])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('that also lists no method may do without, and a wrong assertion is still refused', async () => {
    const [own, stranger] = [await makeKey('own'), await makeKey('own')]
    publishKeys('/keys.json', [own.jwk])
    const agent = describeWithKeys('/either.json', {
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    })
    expect((await exchangeBy(agent, await prove(agent, stranger))).status).toBe(401)
    expect((await exchangeBy(agent, await prove(agent, own))).status).toBe(200)
    const issued = await exchangeBy(agent, { client_id: agent })
    // Its refresh token is used once, because it proves nothing.
    expect((await refresh(agent, issued.body.refresh_token)).body.refresh_token).not.toBe(
      issued.body.refresh_token,
    )
  })

  it('changes its key: the next one counts after a minute, and one that it withdraws ends', async () => {
    const [first, second] = [await makeKey('first'), await makeKey('second')]
    publishKeys('/moving-keys.json', [first.jwk])
    const agent = describeWithKeys('/moving-keys-client.json', { jwks_uri: `${host.url}/moving-keys.json` })
    const { refresh_token } = (await exchangeBy(agent, await prove(agent, first))).body
    const renew = async (key: Key) => {
      const form = { grant_type: 'refresh_token', refresh_token, ...(await prove(agent, key)) }
      return (await postToken(service, form)).status
    }
    publishKeys('/moving-keys.json', [second.jwk])
    expect([await renew(second), host.reads.get('/moving-keys.json')]).toEqual([401, 1])
    vi.setSystemTime(Date.now() + minute)
    expect([await renew(second), await renew(first)]).toEqual([200, 401])
    // While its keys cannot be read, they count for a day.
    host.publish('/moving-keys.json', (response) => response.destroy())
    vi.setSystemTime(Date.now() + 20 * minute)
    expect(await renew(second)).toBe(200)
  })

  it('asks about no tokens but its own', async () => {
    const key = await makeKey('asking')
    publishKeys('/asking-keys.json', [key.jwk])
    const agent = describeWithKeys('/asking.json', { jwks_uri: `${host.url}/asking-keys.json` })
    const own = (await exchangeBy(agent, await prove(agent, key))).body.access_token
    const other = (await getTokens(host.describe('/asked.json'))).body.access_token
    const introspect = async (token: string) =>
      service.client('POST', '/oauth2/introspect', {
        raw: String(new URLSearchParams({ token, ...(await prove(agent, key)) })),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect((await introspect(own)).body).toMatchObject({ active: true, client_id: agent })
    expect((await introspect(other)).body).toEqual({ active: false })
  })

  it.each<[string, (key: Key) => readonly object[] | string]>([
    ['of another host', () => `${other.url}/keys.json`],
    ['that is no address', () => 'keys.json'],
    ['of a machine inside', () => 'http://169.254.169.254/latest/meta-data'],
    ['of another spelling of its host', () => `${host.url.replace('http://', 'http://user@')}/keys.json`],
    ['that is missing', () => `${host.url}/no-keys.json`],
    ['without keys', () => []],
    ['with a private key', ({ jwk }) => [{ ...jwk, d: 'AQAB' }]],
    ['with a shared secret', () => [{ kty: 'oct', k: 'c2VjcmV0' }]],
    ['with more than five keys', ({ jwk }) => Array(6).fill(jwk)],
    ['with a key to encrypt', ({ jwk }) => [{ ...jwk, use: 'enc' }]],
    ['with nonsense', () => [{ kty: 'EC', crv: 'P-256', x: '__proto__' }]],
  ])('and a set of keys %s is refused', async (name, build) => {
    const built = build(await makeKey('x'))
    const path = `/keys-${encodeURIComponent(name)}.json`
    const uri = typeof built === 'string' ? built : publishKeys(path, built)
    other.reads.clear()
    const refused = await authorize(describeWithKeys(`/client-${path.slice(1)}`, { jwks_uri: uri }))
    expect([refused.status, refused.headers.has('location'), other.reads.size]).toEqual([400, false, 0])
  })

  it('may name its keys in the document, but not in two places or with an exponent that anyone can use', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
    const jwk = { ...(await exportJWK(publicKey)), kid: 'rsa' }
    const key = { kid: 'rsa', alg: 'RS256', privateKey, jwk }
    const agent = describeWithKeys('/inside.json', { jwks_uri: undefined, jwks: { keys: [jwk] } })
    expect((await exchangeBy(agent, await prove(agent, key))).status).toBe(200)
    const refused = [
      { jwks: { keys: [jwk] } },
      { jwks_uri: undefined },
      { jwks_uri: undefined, jwks: { keys: [{ ...jwk, e: 'AQ' }] } },
      { jwks_uri: undefined, jwks: { keys: [jwk] }, token_endpoint_auth_signing_alg: 'PS512' },
    ]
    for (const [at, changes] of refused.entries())
      expect((await authorize(describeWithKeys(`/inside-${at}.json`, changes))).status).toBe(400)
  })
})

describe('a redirect address', () => {
  const come = (agent: string, redirect_uri: string) => authorize(agent, { redirect_uri })

  it('of localhost without a port is free of the port, and of nothing else', async () => {
    const agent = host.describe('/localhost.json', { redirect_uris: ['http://localhost/callback'] })
    for (const uri of ['http://localhost/callback', 'http://localhost:58135/callback'])
      expect((await come(agent, uri)).status).toBe(303)
    const refused = [
      'http://localhost:58135/other',
      'http://localhost:58135/callback?x=1',
      'http://localhost:99999/callback',
      'http://localhost:/callback',
      'http://localhost.evil.example:80/callback',
      'http://localhost:80@evil.example/callback',
      'http://LOCALHOST:58135/callback',
      'https://localhost:58135/callback',
      'http://127.0.0.1:58135/callback',
      'http://[::1]:58135/callback',
    ]
    for (const uri of refused) expect([uri, (await come(agent, uri)).status]).toEqual([uri, 400])
  })

  it('of localhost with a port keeps it', async () => {
    const agent = host.describe('/port.json', { redirect_uris: ['http://localhost:33418/callback'] })
    expect((await come(agent, 'http://localhost:33418/callback')).status).toBe(303)
    for (const uri of ['http://localhost/callback', 'http://localhost:33419/callback'])
      expect((await come(agent, uri)).status).toBe(400)
  })
})

describe('a redirect address on another host', () => {
  const elsewhere = 'https://console.x.ai/callback'
  const setPolicy = (pairs: readonly object[]) =>
    service.client('PUT', '/api/2/system/agent-policy', {
      bearer: admin.bearer,
      body: { hosts: [host.host, 'agents.example.com'], callback_hosts: pairs },
    })
  const publish = (path: string) =>
    host.describe(path, {
      redirect_uris: [agentRedirectUri, elsewhere, 'com.example.agent:/callback', 'javascript:alert(1)'],
    })
  const refusal = 'its host is not allowed. It is the host of the document'

  it('is left out, and the request that uses it is refused in words', async () => {
    const agent = publish('/two-hosts.json')
    expect((await authorize(agent)).status).toBe(303)
    for (const uri of [elsewhere, 'com.example.agent:/callback', 'javascript:alert(1)']) {
      const { status, text, headers } = await authorize(agent, { redirect_uri: uri })
      expect([status, headers.get('location')]).toEqual([400, null])
      expect(text).toContain(refusal)
    }
  })

  it('is used while an administrator allows it, also if the document cannot be read again', async () => {
    const agent = publish('/paired.json')
    expect((await authorize(agent, { redirect_uri: elsewhere })).status).toBe(400)
    const pair = { host: host.host, callback_host: 'console.x.ai' }
    expect((await setPolicy([pair])).body.callback_hosts).toEqual([pair])
    expect((await authorize(agent, { redirect_uri: elsewhere })).status).toBe(303)
    host.publish('/paired.json', (response) => response.writeHead(500).end())
    expect((await authorize(agent, { redirect_uri: elsewhere })).status).toBe(303)
    await setPolicy([])
    expect((await authorize(agent, { redirect_uri: elsewhere })).status).toBe(400)
    expect((await authorize(agent)).status).toBe(303)
  })

  it('is allowed for the documents of one host, with https and no other name', async () => {
    await setPolicy([
      { host: 'agents.example.com', callback_host: 'console.x.ai' },
      { host: host.host, callback_host: 'console.example' },
    ])
    const given = [
      elsewhere,
      'http://console.example/',
      'https://console.example.evil.example/',
      'https://evil.example/console.example',
      'https://console.example:8443/',
      'https://a@console.example/',
    ]
    const agent = host.describe('/narrow.json', { redirect_uris: [agentRedirectUri, ...given] })
    for (const uri of given) expect((await authorize(agent, { redirect_uri: uri })).status, uri).toBe(400)
    await setPolicy([])
  })

  it.each([
    [
      'with a path',
      [{ host: 'agents.example.com', callback_host: 'x.ai/a' }],
      'callback_hosts.0.callback_host',
    ],
    [
      'with a wildcard',
      [{ host: 'agents.example.com', callback_host: '*' }],
      'callback_hosts.0.callback_host',
    ],
    ['that is missing', [{ host: 'agents.example.com' }], 'callback_hosts.0.callback_host'],
    ['101 times', Array(101).fill({ host: 'agents.example.com', callback_host: 'x.ai' }), 'callback_hosts'],
  ])('cannot be allowed: one %s', async (_, pairs, field) => {
    const { status, body } = await setPolicy(pairs)
    expect([status, body.errors[0].field]).toEqual([400, field])
  })
})

describe('the scheme of a known program', () => {
  const registration = (type: string, uri: string) => ({
    ...{ name: `An editor ${randomUUID()}`, type, redirect_uris: [uri] },
    apis: [{ audience: films, scopes: ['films.read'] }],
  })
  const registerClient = (type: string, uri: string) =>
    service.client('POST', '/api/2/oidc-clients', { bearer: admin.bearer, body: registration(type, uri) })

  it.each([
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://publisher.extension/callback',
    'vscode-insiders://publisher.extension/callback',
  ])('is registered by an administrator, and the user is asked each time: %s', async (uri) => {
    const { status, body } = await registerClient('public', uri)
    expect(status).toBe(201)
    for (let time = 0; time < 2; time += 1) {
      const asked = await ask(body.client_id, { redirect_uri: uri })
      expect([asked.started.status, asked.page.status]).toEqual([303, 200])
      const { headers } = await answer(asked)
      expect(headers.get('location')?.startsWith(`${uri}?code=`)).toBe(true)
    }
    const silent = await authorize(body.client_id, { redirect_uri: uri, prompt: 'none' })
    expect(silent.headers.get('location')).toContain('error=interaction_required')
  })

  it('is for no confidential client, no document, and no other scheme', async () => {
    const uri = 'cursor://anysphere.cursor-mcp/oauth/callback'
    expect((await registerClient('confidential', uri)).status).toBe(400)
    for (const other of [
      'vscode2://a/callback',
      'cursors://a/callback',
      'intent://a/callback',
      'data:text/html,a',
    ])
      expect((await registerClient('public', other)).status, other).toBe(400)
    const agent = host.describe('/cursor.json', { redirect_uris: [agentRedirectUri, uri] })
    expect((await authorize(agent, { redirect_uri: uri })).status).toBe(400)
  })
})

describe('an identifier', () => {
  it.each([
    (_: DocumentHost, stranger: DocumentHost) => stranger.describe('/agent.json'),
    ({ host: name }: DocumentHost) => `http://user@${name}/agent.json`,
    ({ url }: DocumentHost) => `${url}/agent.json?x=1`,
    ({ url }: DocumentHost) => `${url}/agent.json#x`,
    ({ url }: DocumentHost) => `${url}/`,
    ({ url }: DocumentHost) => `${url}/a/../agent.json`,
    ({ url }: DocumentHost) => `${url}/${'a'.repeat(300)}`,
    ({ url }: DocumentHost) => `${url.replace('http://127.0.0.1', 'http://localhost')}/agent.json`,
    ({ url }: DocumentHost) => `${url.replace('127.0.0.1', '127.1')}/agent.json`,
    ({ url }: DocumentHost) => `${url.toUpperCase()}/agent.json`,
    () => 'http://agents.example.com/agent.json',
    () => 'https://agents.example.com:8443/agent.json',
    () => 'https://agents.example.com.evil.example/agent.json',
    () => 'http://169.254.169.254/latest/meta-data',
    () => 'file:///etc/passwd',
  ])('that is no address of an allowed host is never fetched: %#', async (build) => {
    host.reads.clear()
    const refused = await authorize(build(host, other))
    expect([refused.status, refused.headers.has('location')]).toEqual([400, false])
    expect([host.reads.size, other.reads.size]).toEqual([0, 0])
  })

  it('of another host leads to a page that names it, and says where it can be allowed', async () => {
    const { status, text } = await authorize(other.describe('/agent.json'))
    expect(status).toBe(400)
    expect(text).toContain(`documents of the host ${other.host} do not describe clients here`)
    expect(text).toMatch(/in the console: APIs, (&quot;|&#34;|")Agents/)
    expect(text).not.toContain('agents.example.com')
  })
})

describe('the page that asks', () => {
  it('can be answered by the browser that was asked, on a page of this service, with the user of now', async () => {
    const agent = host.describe('/browser.json')
    const asked = await ask(agent)
    const foreign = await answer(asked, undefined, { 'sec-fetch-site': 'cross-site' })
    expect(readRedirect(foreign)['code']).toBeUndefined()
    const elsewhere = await answer({ ...asked, cookie: cookieOf() })
    expect([elsewhere.status, readRedirect(elsewhere)['code']]).toEqual([400, undefined])
    for (const text of ['', 'answer=yes', 'answer=continue&answer=cancel', 'answer[]=continue'])
      expect((await answer(asked, text)).status).toBe(400)
    expect(readRedirect(await answer(asked))['code']).toBeDefined()
    expect(readRedirect(await answer(asked))['code']).toBeUndefined()
  })

  it('cannot be skipped by opening or repeating the address', async () => {
    const { path, cookie } = await ask(host.describe('/skipped.json'))
    for (const _ of [1, 2, 3]) {
      const again = await service.client('GET', path, { headers: { ...html, cookie } })
      expect([again.status, again.headers.has('location')]).toEqual([200, false])
    }
  })

  it('cannot be answered for another client', async () => {
    const asked = await ask(host.describe('/first.json'))
    const { code = '' } = readRedirect(await answer(asked))
    const second = host.describe('/second.json')
    await ask(second)
    expect((await exchange(second, code)).body.error).toBe('invalid_grant')
  })

  it('gives no code after it was answered twice at once', async () => {
    const asked = await ask(host.describe('/twice.json'))
    const answers = await Promise.all(Array.from({ length: 10 }, () => answer(asked)))
    expect(answers.filter((one) => readRedirect(one)['code'] !== undefined)).toHaveLength(1)
  })
})

it('too many unknown addresses of a host are refused, and known clients go on', async () => {
  const agent = host.describe('/known.json')
  await getTokens(agent)
  const statuses = new Set<number>()
  for (let at = 0; at < 210; at += 10)
    for (const { status } of await Promise.all(
      Array.from({ length: 10 }, (_, index) => authorize(`${host.url}/unknown-${at + index}.json`)),
    ))
      statuses.add(status)
  expect(statuses).toEqual(new Set([400, 429]))
  expect((await getTokens(agent)).status).toBe(200)
})
