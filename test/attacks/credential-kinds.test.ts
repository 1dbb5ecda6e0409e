import { randomBytes, randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createAuthorizer } from '../../lib/features/authorizers/create-authorizer.part.ts'
import { httpEvent } from '../support/authorizer-events.ts'
import type { JsonValue } from '../support/client.ts'
import { addLink, redeem } from '../support/links.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addRelyingParty, exchangeCode, getCode, getTokens, proveClient, refresh } from '../support/oidc.ts'
import { addSignedIn, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * Each kind of credential is presented wherever the service takes any. It works in its own places only, and a place that
 * refuses it does not use it up: its own places are tried last, and still accept it.
 */

const audience = 'https://shop.example.com'
const service = await useService({
  JWT_AUDIENCES: audience,
  RATE_LIMITS: 'lookUpFailures=1000/600,linkGuesses=1000/600',
})
const authorize = createAuthorizer({ ...process.env, AUTHORIZER_AUDIENCES: audience })
const admin = await addSignedIn(service, { permissions: ['system:admin-access', 'media:access'] })
const person = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
const shop = await addRelyingParty(service, { audiences: [audience] })

const post = async (path: string, body: object, bearer?: string): Promise<JsonValue> => {
  const answer = await service.client('POST', `/api/2/${path}`, { body, ...(bearer ? { bearer } : {}) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
const isAccepted = async (answer: Promise<{ readonly status: number }>): Promise<boolean> =>
  (await answer).status < 300
const postForm = (path: string, form: Readonly<Record<string, string>>) =>
  service.client('POST', `/oauth2/${path}`, {
    raw: String(new URLSearchParams(form)),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

/** The places that take a credential. Each returns whether it accepted the value. */
const places = {
  'bearer of the API': (value: string) =>
    isAccepted(service.client('GET', '/api/2/users/me', { bearer: value })),
  'cookie of the API': (value: string) =>
    isAccepted(service.client('GET', '/api/2/users/me', { headers: { cookie: `latchkey=${value}` } })),
  'bearer of a product': async (value: string): Promise<boolean> => {
    const answer: JsonValue = await authorize(httpEvent(value))
    return answer.isAuthorized
  },
  'bearer of userinfo': (value: string) =>
    isAccepted(service.client('GET', '/oauth2/userinfo', { bearer: value })),
  introspection: async (token: string): Promise<boolean> =>
    (await postForm('introspect', { token, ...proveClient(shop) })).body.active,
  'ticket check': (ticket: string) =>
    isAccepted(
      service.client('POST', '/api/2/auth/ticket/check', { bearer: admin.bearer, body: { ticket } }),
    ),
  'look-up of links': (value: string) =>
    isAccepted(service.client('GET', `/api/2/auth/access-tokens/get/${encodeURIComponent(value)}`)),
  'redemption of links': (value: string) => isAccepted(redeem(service, value)),
  'password reset': (token: string) => {
    const body = { token, password: `Password of ${randomUUID()}` }
    return isAccepted(service.client('POST', '/api/2/auth/reset-password', { body }))
  },
  'exchange of codes': (code: string) =>
    isAccepted(exchangeCode(service, shop, { code, verifier: verifiers.get(code) ?? 'x'.repeat(43) })),
  refresh: (value: string) => isAccepted(refresh(service, shop, value)),
  'secret of a client': (client_secret: string) =>
    isAccepted(postForm('introspect', { token: 'x', client_id: shop.client.clientId, client_secret })),
  'hint of a logout': async (hint: string): Promise<boolean> => {
    const query = new URLSearchParams({ id_token_hint: hint })
    const answer = await service.client('GET', `/oauth2/logout?${query}`, {
      bearer: hinted.get(hint) ?? person.bearer,
    })
    return answer.status === 303
  },
}
type Place = keyof typeof places

const verifiers = new Map<string, string>()
/** The session of each ID token. */
const hinted = new Map<string, string>()

const requestReset = async (): Promise<string> => {
  const email = `${randomUUID()}@example.com`
  await addSignedIn(service, { email })
  await post('auth/reset-password/request', { email })
  return readMailedToken(service, email, 'reset')
}

/** Makes a credential of each kind, with the places that accept it. The place that uses it up is the last one. */
const kinds: Readonly<Record<string, readonly [() => Promise<string>, ...Place[]]>> = {
  session: [() => signIn(service, person), 'bearer of the API', 'cookie of the API', 'bearer of a product'],
  'session of a guest': [
    async () => (await redeem(service, (await addLink(service, admin.bearer)).token)).body.session_key,
    'bearer of the API',
    'cookie of the API',
  ],
  'API token': [
    async () => (await post('api-tokens', { name: randomUUID() }, person.bearer)).token,
    'bearer of the API',
    'bearer of a product',
  ],
  'chosen API token': [
    async () =>
      (
        await post(
          'api-tokens',
          { name: randomUUID(), token: randomBytes(32).toString('base64url') },
          person.bearer,
        )
      ).token,
    'bearer of the API',
    'bearer of a product',
  ],
  ticket: [async () => (await post('auth/ticket', {}, person.bearer)).ticket, 'ticket check'],
  'access link': [
    async () => (await addLink(service, admin.bearer)).token,
    'look-up of links',
    'redemption of links',
  ],
  'reset token': [requestReset, 'password reset'],
  'JWT of create_jwt': [
    async () => (await post('auth/jwt', { audience }, person.bearer)).token,
    'bearer of a product',
    'introspection',
  ],
  'code of a client': [
    async () => {
      const { code, verifier } = await getCode(service, shop, person.bearer)
      verifiers.set(code, verifier)
      return code
    },
    'exchange of codes',
  ],
  'access token of a client': [
    async () => (await getTokens(service, shop, person.bearer, { resource: audience })).access_token,
    'bearer of a product',
    'introspection',
  ],
  'access token of a client for no API': [
    async () => (await getTokens(service, shop, person.bearer)).access_token,
    'bearer of userinfo',
    'introspection',
  ],
  'refresh token of a client': [
    async () => (await getTokens(service, shop, person.bearer)).refresh_token,
    'introspection',
    'refresh',
  ],
  'ID token of a client': [
    async () => {
      const session = await signIn(service, person)
      const { id_token } = await getTokens(service, shop, session)
      hinted.set(id_token, session)
      return id_token
    },
    'hint of a logout',
  ],
  'secret of a client': [async () => shop.secret, 'secret of a client'],
}

it.each(Object.keys(kinds))('%s works in its own places only', async (kind) => {
  const [make, ...own] = kinds[kind] ?? [async () => '']
  const value = await make()
  expect(value).toMatch(/^\S{20,}$/)
  const others = (Object.keys(places) as Place[]).filter((place) => !own.includes(place))
  const accepted: Place[] = []
  for (const place of [...others, ...own]) if (await places[place](value)) accepted.push(place)
  expect(accepted).toEqual(own)
})
