import { createHash } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { Answer, JsonValue } from '../support/client.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  postToken,
  proveClient,
  readReturnPath,
  refresh,
  type TokenAnswer,
} from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * The modules of the OpenID Foundation's plans for providers, by their names: Basic, Config and form post. The suite itself
 * does not run here. `docs/security/openid-modules.md` has the results.
 */

const service = await useService()
const person = await addSignedIn(service, { full_name: 'Ada Lovelace', email: 'ada@example.com' })

/** Like the clients of the suite, it sends no PKCE. */
const party = await addRelyingParty(service, {
  requires_pkce: false,
  redirect_uris: ['https://app.example/cb', 'https://app.example/other'],
  scopes: ['openid', 'profile', 'email', 'offline_access'],
})
afterAll(() => vi.useRealTimers())

type Parameters = Readonly<Record<string, string | undefined>>
const noPkce = { code_challenge: undefined, code_challenge_method: undefined }

/** How the answer of an authorization reaches the client. */
type Mode = 'query' | 'form_post'

const authorize = (mode: Mode, overrides: Parameters = {}, cookie = `latchkey=${person.bearer}`) => {
  const mode_ = mode === 'form_post' ? { response_mode: mode } : {}
  const query = buildAuthorization(party, '', { scope: 'openid', ...noPkce, ...mode_, ...overrides })
  return service.client('GET', `/oauth2/authorize?${query}`, {
    headers: { accept: 'text/html', 'sec-fetch-site': 'cross-site', ...(cookie ? { cookie } : {}) },
  })
}

/** What the client receives, at the address that it registered. Empty if the browser stays at the service. */
const receive = (mode: Mode, { text, headers }: Answer): Readonly<Record<string, string>> => {
  const location = headers.get('location') ?? ''
  if (mode === 'query' || location !== '')
    return Object.fromEntries(new URL(location || 'about:blank').searchParams)
  const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(text) ?? []
  if (!action.startsWith('https://app.example/')) return {}
  const fields = [...text.matchAll(/<input[^>]* name="([^"]+)"[^>]* value="([^"]*)"/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
}

const exchange = (code: string, more: Readonly<Record<string, string>> = {}): Promise<TokenAnswer> =>
  postToken(service, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: 'https://app.example/cb',
    ...proveClient(party),
    ...more,
  })

/** Signs the person in with these parameters, as the ordinary flow of the suite does. */
const signIn = async (mode: Mode, overrides: Parameters = {}): Promise<JsonValue> => {
  const received = receive(mode, await authorize(mode, overrides))
  expect(received).toMatchObject({ state: 'the state', iss: service.url })
  const { status, body } = await exchange(received['code'] ?? '')
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const verify = async (token: string) =>
  jwtVerify(token, createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`)), {
    issuer: service.url,
    audience: party.client.clientId,
  })
const userinfo = async ({ access_token: token }: JsonValue): Promise<JsonValue> =>
  (await service.client('GET', '/oauth2/userinfo', { bearer: token })).body
const errorOf = async (mode: Mode, overrides: Parameters, cookie?: string) =>
  receive(mode, await authorize(mode, overrides, cookie))['error']
/** The service shows a page, and the browser does not leave it. */
const expectErrorPage = ({ status, headers, text }: Answer): void => {
  expect([status, headers.get('location')]).toEqual([400, null])
  expect(text).not.toContain('href="https://app.example')
}
/** Whether the person has to do something on a page of the service. */
const staysHere = ({ status, headers }: Answer): boolean =>
  status === 303 && (headers.get('location') ?? '').startsWith(`${service.url}/?return_to=`)

/** Proves the identity again on the page of the service, and returns to the client. */
const signInAgain = async (mode: Mode, overrides: Parameters): Promise<JsonValue> => {
  const answer = await authorize(mode, overrides)
  expect(staysHere(answer)).toBe(true)
  const body = { password: person.password }
  await service.client('POST', '/api/2/auth/reauthenticate', { bearer: person.bearer, body })
  const cookie = [`latchkey=${person.bearer}`, ...answer.cookies.map((line) => line.split(';')[0])].join('; ')
  const resumed = await service.client('GET', readReturnPath(answer), {
    headers: { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' },
  })
  return (await exchange(receive(mode, resumed)['code'] ?? '')).body
}
const authTimeOf = ({ id_token: token }: JsonValue): number => Number(decodeJwt(token)['auth_time'])

/** Moves the clock of the service. */
const later = (ms: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
}

/** What is expected, and the check. */
type Module = readonly [name: string, expected: string, check: (mode: Mode) => Promise<void>]

const basic: readonly Module[] = [
  [
    'oidcc-server',
    'a code that cannot be guessed, and an ID token with the requested claims alone',
    async (mode) => {
      const { code = '' } = receive(mode, await authorize(mode))
      expect(code.length).toBeGreaterThanOrEqual(32)
      const { body } = await exchange(code)
      const { payload } = await verify(body.id_token)
      const half = createHash('sha256').update(body.access_token).digest().subarray(0, 16)
      expect(payload['at_hash']).toBe(half.toString('base64url'))
      expect(payload['nonce']).toBe('the nonce')
      expect(payload).not.toHaveProperty('name')
      expect(payload).not.toHaveProperty('email')
    },
  ],
  [
    'oidcc-response-type-missing',
    'invalid_request for the client',
    async (mode) => expect(await errorOf(mode, { response_type: undefined })).toBe('invalid_request'),
  ],
  [
    'oidcc-idtoken-signature',
    'RS256, with the ID of a published key',
    async (mode) => {
      const { protectedHeader } = await verify((await signIn(mode)).id_token)
      expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: expect.any(String) })
    },
  ],
  [
    'oidcc-idtoken-unsigned',
    'not offered: no client can ask for `none`',
    async () => {
      const { body } = await service.client('GET', '/.well-known/openid-configuration')
      expect(body.id_token_signing_alg_values_supported).not.toContain('none')
    },
  ],
  [
    'oidcc-userinfo-get',
    'the claims of the subject of the ID token',
    async (mode) => {
      const tokens = await signIn(mode)
      expect((await userinfo(tokens)).sub).toBe(decodeJwt(tokens.id_token).sub)
    },
  ],
  [
    'oidcc-userinfo-post-header',
    '200',
    async (mode) => {
      const { access_token: bearer } = await signIn(mode)
      const raw = ''
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      expect((await service.client('POST', '/oauth2/userinfo', { bearer, raw, headers })).status).toBe(200)
    },
  ],
  [
    'oidcc-userinfo-post-body',
    '200',
    async (mode) => {
      const raw = String(new URLSearchParams({ access_token: (await signIn(mode)).access_token }))
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      expect((await service.client('POST', '/oauth2/userinfo', { raw, headers })).status).toBe(200)
    },
  ],
  [
    'oidcc-ensure-request-without-nonce-succeeds-for-code-flow',
    'a code with PKCE; without both, invalid_request',
    async (mode) => {
      const { challenge, verifier } = createPkce()
      const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
      const { code = '' } = receive(mode, await authorize(mode, { nonce: undefined, ...pkce }))
      expect((await exchange(code, { code_verifier: verifier })).status).toBe(200)
      expect(await errorOf(mode, { nonce: undefined })).toBe('invalid_request')
    },
  ],
  [
    'oidcc-scope-profile',
    'the claims of the profile at userinfo',
    async (mode) =>
      expect(await userinfo(await signIn(mode, { scope: 'openid profile' }))).toMatchObject({
        name: 'Ada Lovelace',
      }),
  ],
  [
    'oidcc-scope-email',
    'the address, and no name',
    async (mode) => {
      const claims = await userinfo(await signIn(mode, { scope: 'openid email' }))
      expect(claims).toMatchObject({ email: 'ada@example.com', email_verified: true })
      expect(claims).not.toHaveProperty('name')
    },
  ],
  ...['address', 'phone'].map(
    (scope): Module => [
      `oidcc-scope-${scope}`,
      'a code: the service knows no such claims, and leaves the scope out',
      async (mode) => expect((await signIn(mode, { scope: `openid ${scope}` })).scope).toBe('openid'),
    ],
  ),
  [
    'oidcc-scope-all',
    'the claims that the service knows',
    async (mode) => {
      const tokens = await signIn(mode, { scope: 'openid email phone address profile' })
      expect(await userinfo(tokens)).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.com' })
    },
  ],
  [
    'oidcc-alternate-happy-flow',
    'a code at the second address of the client',
    async (mode) => {
      const other = 'https://app.example/other'
      const { code = '' } = receive(mode, await authorize(mode, { redirect_uri: other }))
      expect((await exchange(code, { redirect_uri: other })).status).toBe(200)
    },
  ],
  ...['page', 'popup'].map(
    (display): Module => [
      `oidcc-display-${display}`,
      'a code',
      async (mode) => expect(await signIn(mode, { display })).toHaveProperty('id_token'),
    ],
  ),
  [
    'oidcc-prompt-login',
    'another sign-in, with a later auth_time',
    async (mode) => {
      const first = authTimeOf(await signIn(mode))
      later(2000)
      expect(authTimeOf(await signInAgain(mode, { prompt: 'login' }))).toBeGreaterThan(first)
    },
  ],
  [
    'oidcc-prompt-none-not-logged-in',
    'login_required',
    async (mode) => expect(await errorOf(mode, { prompt: 'none' }, '')).toBe('login_required'),
  ],
  [
    'oidcc-prompt-none-logged-in',
    'a code for the same subject, without a page',
    async (mode) => {
      const [first, second] = [await signIn(mode), await signIn(mode, { prompt: 'none' })]
      expect(decodeJwt(second.id_token).sub).toBe(decodeJwt(first.id_token).sub)
      expect(authTimeOf(second)).toBe(authTimeOf(first))
    },
  ],
  [
    'oidcc-max-age-1',
    'another sign-in, with a later auth_time',
    async (mode) => {
      const first = authTimeOf(await signIn(mode))
      later(3000)
      expect(authTimeOf(await signInAgain(mode, { max_age: '1' }))).toBeGreaterThan(first)
    },
  ],
  [
    'oidcc-max-age-10000',
    'a code with the auth_time of before',
    async (mode) => {
      const first = authTimeOf(await signIn(mode, { max_age: '15000' }))
      expect(authTimeOf(await signIn(mode, { max_age: '10000' }))).toBe(first)
    },
  ],
  [
    'oidcc-ensure-request-with-unknown-parameter-succeeds',
    'a code',
    async (mode) => expect(await signIn(mode, { extra: 'foobar' })).toHaveProperty('id_token'),
  ],
  [
    'oidcc-id-token-hint',
    'a code for the subject of the hint, without a page',
    async (mode) => {
      const { id_token: hint } = await signIn(mode)
      const { id_token: token } = await signIn(mode, { prompt: 'none', id_token_hint: hint })
      expect(decodeJwt(token).sub).toBe(decodeJwt(hint).sub)
    },
  ],
  ...(
    [
      ['oidcc-login-hint', { login_hint: 'ada@example.com' }],
      ['oidcc-ui-locales', { ui_locales: 'se' }],
      ['oidcc-claims-locales', { claims_locales: 'se' }],
    ] as const
  ).map(
    ([name, parameters]): Module => [
      name,
      'a code',
      async (mode) => expect(await signIn(mode, parameters)).toHaveProperty('id_token'),
    ],
  ),
  [
    'oidcc-ensure-request-with-acr-values-succeeds',
    'a code, with an acr that was asked for',
    async (mode) => {
      const acr = 'urn:latchkey:acr:single-factor'
      expect(decodeJwt((await signIn(mode, { acr_values: acr })).id_token)['acr']).toBe(acr)
    },
  ],
  [
    'oidcc-codereuse',
    'invalid_grant at the second use',
    async (mode) => {
      const { code = '' } = receive(mode, await authorize(mode))
      expect((await exchange(code)).status).toBe(200)
      expect((await exchange(code)).body.error).toBe('invalid_grant')
    },
  ],
  [
    'oidcc-codereuse-30seconds',
    'invalid_grant, and the tokens of the first use end',
    async (mode) => {
      const { code = '' } = receive(mode, await authorize(mode))
      const { body } = await exchange(code)
      later(30_000)
      expect((await exchange(code)).body.error).toBe('invalid_grant')
      expect((await service.client('GET', '/oauth2/userinfo', { bearer: body.access_token })).status).toBe(
        401,
      )
    },
  ],
  [
    'oidcc-ensure-registered-redirect-uri',
    'an error page',
    async (mode) => expectErrorPage(await authorize(mode, { redirect_uri: 'https://app.example/cb/added' })),
  ],
  [
    'oidcc-ensure-post-request-succeeds',
    'the same as with GET',
    async (mode) => {
      const mode_ = mode === 'form_post' ? { response_mode: mode } : {}
      const raw = String(buildAuthorization(party, '', { scope: 'openid', ...noPkce, ...mode_ }))
      const posted = await service.client('POST', '/oauth2/authorize', {
        raw,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      const next = posted.headers.get('location') ?? ''
      const answer = await service.client('GET', next, {
        headers: { cookie: `latchkey=${person.bearer}`, accept: 'text/html' },
      })
      expect(receive(mode, answer)).toHaveProperty('code')
    },
  ],
  [
    'oidcc-server-client-secret-post',
    'tokens',
    async (mode) => {
      const { code = '' } = receive(mode, await authorize(mode))
      const { client, secret } = party
      const form = { client_id: client.clientId, client_secret: secret }
      expect((await exchange(code, form)).status).toBe(200)
    },
  ],
  [
    'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported',
    'request_uri_not_supported, as the metadata says',
    async (mode) =>
      expect(await errorOf(mode, { request_uri: 'https://app.example/request.jwt' })).toBe(
        'request_uri_not_supported',
      ),
  ],
  [
    'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported',
    'request_not_supported',
    async (mode) => expect(await errorOf(mode, { request: unsigned({}) })).toBe('request_not_supported'),
  ],
  [
    'oidcc-claims-essential',
    'a code: the parameter is not supported, as the metadata says, and the scope decides',
    async (mode) => {
      const claims = JSON.stringify({ userinfo: { name: { essential: true } } })
      expect(await userinfo(await signIn(mode, { claims }))).not.toHaveProperty('name')
      const { body } = await service.client('GET', '/.well-known/openid-configuration')
      expect(body.claims_parameter_supported).toBe(false)
    },
  ],
  [
    'oidcc-ensure-request-object-with-redirect-uri',
    'an error page',
    async (mode) =>
      expectErrorPage(
        await authorize(mode, {
          redirect_uri: 'https://evil.example/',
          request: unsigned({ redirect_uri: 'https://app.example/cb' }),
        }),
      ),
  ],
  [
    'oidcc-refresh-token',
    'new tokens for the same subject, and a new nonce is not needed',
    async (mode) => {
      const scope = 'openid offline_access'
      const answer = await signInAgainIfAsked(mode, { scope, prompt: 'consent' })
      expect(answer.refresh_token).toMatch(/^[\x20-\x7e]+$/)
      const { status, body } = await refresh(service, party, answer.refresh_token)
      expect(status).toBe(200)
      const [first, second] = [answer, body].map(({ id_token: token }) => decodeJwt(token))
      expect([second?.sub, second?.iss, second?.aud]).toEqual([first?.sub, first?.iss, first?.aud])
      expect(second?.['auth_time']).toBe(first?.['auth_time'])
    },
  ],
  [
    'oidcc-ensure-request-with-valid-pkce-succeeds',
    'tokens with the verifier, and none without',
    async (mode) => {
      const { challenge, verifier } = createPkce()
      const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
      const code = async () => receive(mode, await authorize(mode, pkce))['code'] ?? ''
      expect((await exchange(await code(), { code_verifier: verifier })).status).toBe(200)
      expect((await exchange(await code())).body.error).toBe('invalid_grant')
    },
  ],
]

const unsigned = (claims: object): string =>
  [{ alg: 'none' }, { iss: party.client.clientId, ...claims }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('')
    .join('.')

/** The suite asks for consent. The person agrees if the service asks. */
const signInAgainIfAsked = async (mode: Mode, overrides: Parameters): Promise<JsonValue> =>
  staysHere(await authorize(mode, overrides)) ? signInAgain(mode, overrides) : signIn(mode, overrides)

describe.each<Mode>(['query', 'form_post'])('an answer by %s', (mode) => {
  it.each(basic)('%s: %s', (_name, _expected, check) => check(mode))
})

it('oidcc-discovery-endpoint-verification: metadata of this issuer, with https addresses and what is required', async () => {
  const { status, headers, body } = await service.client('GET', '/.well-known/openid-configuration')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(body.issuer).toBe(service.url)
  for (const name of ['authorization', 'token', 'userinfo'])
    expect(new URL(body[`${name}_endpoint`]).origin).toBe(service.url)
  expect(new URL(body.jwks_uri).origin).toBe(service.url)
  expect(body).toMatchObject({
    response_types_supported: ['code'],
    subject_types_supported: ['public', 'pairwise'],
    id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
    scopes_supported: expect.arrayContaining(['openid']),
    claims_supported: expect.arrayContaining(['sub', 'iss', 'auth_time', 'acr']),
  })
  const { body: keys } = await service.client('GET', new URL(body.jwks_uri).pathname)
  expect(keys.keys.every((key: JsonValue) => key.kty === 'RSA' && !('d' in key))).toBe(true)
})
