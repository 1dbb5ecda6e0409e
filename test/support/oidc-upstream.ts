import { createServer } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { TestBrowser } from './browser.ts'
import type { Answer, JsonValue } from './client.ts'
import { listenOnLoopback } from './listen-on-loopback.ts'
import type { TestService } from './service.ts'

/*
 * An identity provider of somebody else on loopback, which can be made to misbehave in any way. What it answers follows
 * OpenID Connect Core 1.0 unless a test changes it.
 */

type Claims = Record<string, unknown>
type Json = Record<string, unknown>

interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly jwk: JWK
}

const createKey = async (kid: string): Promise<SigningKey> => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } }
}

/** What a test changes about the next answers. */
export interface Behavior {
  /** Changes the claims of the ID token. A claim that is undefined is left out. */
  readonly claims?: Claims
  readonly userinfo?: Claims
  /** Makes the ID token in another way. */
  readonly sign?: (claims: Claims, idp: TestUpstream) => Promise<string>
  readonly discovery?: Json
  readonly keys?: readonly JWK[]
  /** Changes the answer of the token endpoint. */
  readonly tokens?: Json
  readonly tokenStatus?: number
  readonly revocationStatus?: number
  /** Lets a code get tokens each time, so that a test can send the answer of one sign-in again. Providers take a code once. */
  readonly keepsCodes?: boolean
}

export interface TestUpstream {
  readonly issuer: string
  readonly key: SigningKey
  readonly otherKey: SigningKey
  behave: (behavior: Behavior) => void
  /** The requests of the service, by path. */
  readonly requests: { readonly path: string; readonly headers: Json; readonly body: URLSearchParams }[]
  /** Signs the user in at an authorization request, and returns the answer for the browser. */
  readonly authorize: (location: string, claims?: Claims) => URL
  readonly close: () => Promise<void>
}

export const clientId = 'latchkey'
export const backchannelLogoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
export const clientSecret = 'A secret of the upstream: +/&%'

/** What makes a provider differ from a plain one. */
export interface UpstreamKind {
  /** The paths of its discovery documents. The first one is that of its issuer. */
  readonly paths: readonly string[]
  /** What the document at a path says besides, for an address of the stand-in. */
  readonly discovery: (url: string, path: string) => Json
  /** Whether its answers name the issuer (RFC 9207). */
  readonly namesIssuer: boolean
  /** Where it revokes tokens (RFC 7009). */
  readonly revocationPath?: string
  /** Whether a request to the token endpoint proves that it comes from the client. Without it, every one does. */
  readonly isClient?: (request: URLSearchParams, issuer: string) => Promise<boolean>
}

const plainKind: UpstreamKind = { paths: [''], discovery: () => ({}), namesIssuer: true }

export const startUpstream = async (kind: UpstreamKind = plainKind): Promise<TestUpstream> => {
  const [key, otherKey] = [await createKey('first'), await createKey('second')]
  const codes = new Map<string, { readonly request: URLSearchParams; readonly claims: Claims }>()
  let behavior: Behavior = {}
  let subjects: Claims = {}
  const requests: TestUpstream['requests'] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = new URLSearchParams(Buffer.concat(chunks).toString())
      const full = request.url ?? ''
      const base = kind.paths.find((one) => full.startsWith(`${one}/`)) ?? ''
      const path = full.slice(base.length)
      requests.push({ path, headers: { ...request.headers }, body })
      const send = (status: number, json: unknown) =>
        void response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(typeof json === 'string' ? json : JSON.stringify(json))
      if (path === '/.well-known/openid-configuration') {
        send(200, {
          issuer: idp.issuer,
          authorization_endpoint: `${idp.issuer}/authorize`,
          token_endpoint: `${idp.issuer}/token`,
          userinfo_endpoint: `${idp.issuer}/userinfo`,
          jwks_uri: `${idp.issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          ...(kind.namesIssuer && { authorization_response_iss_parameter_supported: true }),
          ...kind.discovery(url, base),
          ...behavior.discovery,
        })
        return
      }
      // A real browser is signed in at once.
      if (path.startsWith('/authorize?')) {
        response.writeHead(302, { location: idp.authorize(url + full).href }).end()
        return
      }
      if (path === '/jwks') return send(200, { keys: behavior.keys ?? [key.jwk] })
      if (path === '/userinfo') return send(200, { ...subjects, ...behavior.userinfo })
      const found = codes.get(body.get('code') ?? '')
      if (!behavior.keepsCodes) codes.delete(body.get('code') ?? '')
      void (async () => {
        if (kind.isClient && !(await kind.isClient(body, idp.issuer)))
          return send(400, { error: 'invalid_client' })
        if (path === kind.revocationPath) return send(behavior.revocationStatus ?? 200, '')
        if (!found) return send(400, { error: 'invalid_grant' })
        const now = Math.floor(Date.now() / 1000)
        const { nonce, ...claims } = {
          iss: idp.issuer,
          aud: clientId,
          iat: now,
          exp: now + 300,
          auth_time: now,
          nonce: found.request.get('nonce'),
          ...found.claims,
          ...behavior.claims,
        } as Claims
        const all = Object.fromEntries(
          Object.entries({ ...claims, nonce }).filter(([, value]) => value !== undefined),
        )
        subjects = { sub: all['sub'] }
        const challenge = found.request.get('code_challenge')
        if (!(await matchesChallenge(body.get('code_verifier') ?? '', challenge ?? '')))
          return send(400, { error: 'invalid_grant' })
        const idToken = await (behavior.sign ?? signHonestly)(all, idp)
        send(behavior.tokenStatus ?? 200, {
          access_token: 'opaque',
          token_type: 'Bearer',
          expires_in: 60,
          id_token: idToken,
          ...(kind.revocationPath && {
            refresh_token: `r${crypto.randomUUID().replaceAll('-', '')}.0.example`,
          }),
          ...behavior.tokens,
        })
      })()
    })
  })
  const { url, close } = await listenOnLoopback(server)
  const idp: TestUpstream = {
    issuer: url + (kind.paths[0] ?? ''),
    key,
    otherKey,
    requests,
    behave: (next) => {
      behavior = next
    },
    authorize: (location, claims = {}) => {
      const { searchParams } = new URL(location)
      const code = crypto.randomUUID()
      codes.set(code, {
        request: searchParams,
        claims: { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada', ...claims },
      })
      const answer = new URL(searchParams.get('redirect_uri') ?? '')
      answer.searchParams.set('code', code)
      answer.searchParams.set('state', searchParams.get('state') ?? '')
      if (kind.namesIssuer) answer.searchParams.set('iss', idp.issuer)
      return answer
    },
    close,
  }
  return idp
}

const matchesChallenge = async (verifier: string, challenge: string): Promise<boolean> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(verifier))).toString('base64url') ===
  challenge

const signHonestly = (claims: Claims, { key }: TestUpstream): Promise<string> => signWith(key, claims)

/** Signs claims with a key of the provider. */
export const signWith = (
  { privateKey, kid }: SigningKey,
  claims: Claims,
  header: Json = { kid },
): Promise<string> => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...header }).sign(privateKey)

export interface TestConnection {
  readonly id: number
  readonly body: JsonValue
  readonly start: (
    browser?: TestBrowser,
    query?: string,
  ) => Promise<{ browser: TestBrowser; answer: Answer; location: string }>
}

/** Creates a connection to an upstream provider as an administrator. */
export const addConnection = async (
  service: TestService,
  bearer: string,
  issuer: string,
  fields: object = {},
): Promise<TestConnection> => {
  const created = await service.client('POST', '/api/2/auth/oidc-connections', {
    bearer,
    body: { name: 'Upstream', issuer, client_id: clientId, client_secret: clientSecret, ...fields },
  })
  if (created.status !== 201) throw new Error(created.text)
  const { id } = created.body
  return {
    id,
    body: created.body,
    start: async (browser = new TestBrowser(service), query = '') => {
      const answer = await browser.get(`/api/2/auth/oidc-connections/${id}/start${query}`)
      return { browser, answer, location: answer.headers.get('location') ?? '' }
    },
  }
}

/** Opens the callback as the browser does after the redirect of the provider. */
export const openCallback = (browser: TestBrowser, answer: URL): Promise<Answer> =>
  browser.get(answer.pathname + answer.search, 'cross-site')

/** Signs a user in. Returns the answer of the callback, and the browser. */
export const signInByUpstream = async (
  connection: TestConnection,
  upstream: TestUpstream,
  claims: Claims = {},
  browser?: TestBrowser,
) => {
  const started = await connection.start(browser)
  const answer = await openCallback(started.browser, upstream.authorize(started.location, claims))
  return { ...started, answer }
}
