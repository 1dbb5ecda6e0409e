import { randomUUID } from 'node:crypto'
import * as client from 'openid-client'
import { afterEach, expect, it, vi } from 'vitest'
import { day, hour, minute, second } from '../../lib/kernel/util/time.ts'

import { addSignedIn, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* How long users stay signed in at products that refresh their tokens, with openid-client and the settings of a new client. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const start = Date.now()
afterEach(() => vi.useRealTimers())

const goTo = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: start + ms })
const redirect = 'https://shop.example/callback'
const offline = 'openid profile offline_access'

const register = async (type: string, fields: object = {}) => {
  const scopes = ['openid', 'profile', 'offline_access']
  const answer = await service.client('POST', '/api/2/oidc-clients', {
    bearer: admin.bearer,
    body: { name: randomUUID(), type, redirect_uris: [redirect], scopes, ...fields },
  })
  return answer.body
}

const registerApp = async (type: 'confidential' | 'public', fields: object = {}) => {
  const { id, client_id, client_secret } = await register(type, fields)
  const method = type === 'public' ? client.None() : undefined
  const config = await client.discovery(new URL(service.url), client_id, client_secret ?? undefined, method, {
    execute: [client.allowInsecureRequests],
  })
  return { id, config }
}

const signInAt = async ({ config }: { config: client.Configuration }, bearer: string, scope = offline) => {
  const [pkceCodeVerifier, expectedState] = [client.randomPKCECodeVerifier(), client.randomState()]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    scope,
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const { headers } = await service.client('GET', `${url.pathname}${url.search}`, { bearer })
  const location = new URL(headers.get('location') ?? '')
  if (location.origin === service.url) throw new Error('the user is led to the sign-in page')
  return client.authorizationCodeGrant(config, location, { pkceCodeVerifier, expectedState })
}

const getMe = async (bearer: string) => (await service.client('GET', '/api/2/users/me', { bearer })).status
const callUserinfo = async (bearer: string) =>
  (await service.client('GET', '/oauth2/userinfo', { bearer })).status

const tryRefresh = (config: client.Configuration, token: string) =>
  client.refreshTokenGrant(config, token).then(
    () => 'refreshed',
    (error: client.ResponseBodyError) => `${error.error}: ${error.error_description}`,
  )

const ended =
  'invalid_grant: the refresh token has expired, was not used for too long or was replaced, or the session of the user has ended: sign the user in again'

it.each(['confidential', 'public'] as const)(
  'keeps users of a %s client that refreshes each day signed in until the end of its tokens',
  async (type) => {
    goTo(0)
    const app = await registerApp(type)
    const { bearer } = await addSignedIn(service)
    let { refresh_token: token = '' } = await signInAt(app, bearer)
    // Never at the same time of the day: 24 hours and some minutes later.
    for (let at = 25 * hour; at < 14 * day; at += 25 * hour) {
      goTo(at)
      const tokens = await client.refreshTokenGrant(app.config, token)
      token = tokens.refresh_token ?? token
      expect(await callUserinfo(tokens.access_token)).toBe(200)
      // The user left the browser in which they signed in. Others find no session there.
      expect(await getMe(bearer)).toBe(401)
    }
    goTo(14 * day - 5 * second)
    const last = await client.refreshTokenGrant(app.config, token)
    expect(await callUserinfo(last.access_token)).toBe(200)
    goTo(14 * day + second)
    expect(await tryRefresh(app.config, last.refresh_token ?? token)).toBe(ended)
    expect(await callUserinfo(last.access_token)).toBe(401)
  },
)

it('ends tokens that an app did not use for their idle lifetime, also while the user is there', async () => {
  goTo(0)
  const app = await registerApp('public')
  const { bearer } = await addSignedIn(service)
  const { refresh_token: token = '' } = await signInAt(app, bearer)
  goTo(6 * day)
  const kept = await client.refreshTokenGrant(app.config, token)
  goTo(13 * day)
  expect(await tryRefresh(app.config, kept.refresh_token ?? '')).toBe(ended)

  goTo(0)
  const other = await registerApp('confidential', { refresh_token_idle_lifetime: 7200 })
  const present = await addSignedIn(service)
  const { refresh_token: unused = '' } = await signInAt(other, present.bearer)
  goTo(hour)
  expect(await getMe(present.bearer)).toBe(200)
  goTo(2 * hour)
  expect(await tryRefresh(other.config, unused)).toBe(ended)
  expect(await getMe(present.bearer)).toBe(200)
  // The user is still signed in, so they come back at once.
  expect((await signInAt(other, present.bearer)).refresh_token).toBeTruthy()
})

it('has users of an app without offline_access sign in again after their session was idle', async () => {
  goTo(0)
  const app = await registerApp('confidential')
  const { bearer } = await addSignedIn(service)
  for (let at = 0; at < 3 * day; at += 23 * hour) {
    goTo(at)
    const tokens = await signInAt(app, bearer, 'openid profile')
    expect(tokens.refresh_token).toBeUndefined()
    expect(await callUserinfo(tokens.access_token)).toBe(200)
    goTo(at + 11 * minute)
    expect(await callUserinfo(tokens.access_token)).toBe(401)
  }
  goTo(5 * day)
  await expect(signInAt(app, bearer, 'openid profile')).rejects.toThrow('sign-in page')
})

it('shows users the session that only an app still uses, and the app, until they end one of them', async () => {
  goTo(0)
  const app = await registerApp('public')
  const person = await addSignedIn(service)
  const { refresh_token: token = '' } = await signInAt(app, person.bearer)
  goTo(2 * day)
  const { refresh_token: second = '' } = await client.refreshTokenGrant(app.config, token)
  const bearer = await signIn(service, person)
  const list = async (path: string) => (await service.client('GET', `/api/2/${path}`, { bearer })).body
  const [session] = (await list('auth/sessions')).filter(
    ({ is_current }: { is_current: boolean }) => !is_current,
  )
  expect(await list('users/me/apps')).toMatchObject([{ id: app.id }])
  await service.client('DELETE', `/api/2/auth/sessions/${session.id}`, { bearer })
  expect(await tryRefresh(app.config, second)).toBe(ended)
  expect([await list('users/me/apps'), (await list('auth/sessions')).length]).toEqual([[], 1])
})

const addManaged = async () => {
  goTo(0)
  const app = await registerApp('public')
  const person = await addSignedIn(service)
  const { refresh_token = '' } = await signInAt(app, person.bearer)
  goTo(2 * day)
  const tokens = await client.refreshTokenGrant(app.config, refresh_token)
  const byAdmin = async (method: string, path: string, body?: object) => {
    const bearer = await signIn(service, admin)
    const answer = await service.client(method, `/api/2/${path}`, { bearer, ...(body ? { body } : {}) })
    if (answer.status >= 300) throw new Error(answer.text)
  }
  return { app, person, tokens, byAdmin }
}

type Managed = Awaited<ReturnType<typeof addManaged>>

it.each<[string, (managed: Managed) => Promise<unknown>]>([
  [
    'a logout in the browser, which is idle',
    ({ person }) => service.client('POST', '/api/2/auth/logout', { bearer: person.bearer, body: {} }),
  ],
  [
    'a new password',
    ({ person, byAdmin }) =>
      byAdmin('POST', `users/${person.user.id}/password`, { password: `New ${randomUUID()}` }),
  ],
  [
    'a disabled user',
    ({ person, byAdmin }) => byAdmin('PATCH', `users/${person.user.id}`, { is_enabled: false }),
  ],
  ['the end of all sessions', ({ person, byAdmin }) => byAdmin('DELETE', `users/${person.user.id}/sessions`)],
  ['a deleted client', ({ app, byAdmin }) => byAdmin('DELETE', `oidc-clients/${app.id}`)],
  ['the client itself', ({ app, tokens }) => client.tokenRevocation(app.config, tokens.refresh_token ?? '')],
])('ends the tokens of an app in use with %s, at the next request', async (_way, end) => {
  const managed = await addManaged()
  const { app, tokens } = managed
  expect(await callUserinfo(tokens.access_token)).toBe(200)
  await end(managed)
  expect(await callUserinfo(tokens.access_token)).toBe(401)
  expect(await tryRefresh(app.config, tokens.refresh_token ?? '')).toMatch(/^invalid_(grant|client): /)
})
