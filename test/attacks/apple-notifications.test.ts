import { randomUUID } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { findCompanyAccounts } from '../../lib/features/connections/accounts.records.ts'
import { appleNotificationMaxAgeMs } from '../../lib/kernel/limits/connection-limits.ts'
import {
  describeApple,
  newAppleAccount,
  postAnswer,
  signNotification,
  startApple,
} from '../support/apple-upstream.ts'
import { TestBrowser } from '../support/browser.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { clientId, signWith, startUpstream } from '../support/oidc-upstream.ts'
import { addPasskey, signInWithPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, callAs, signIn as signInHere } from '../support/people.ts'
import { addPublicConnection, readUser } from '../support/public-upstream.ts'
import { sessionOf } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/*
 * Apple reports that somebody withdrew their consent or deleted their account there. Anyone can call the endpoint: an attacker wants to end
 * the sessions of others, to learn who has an account, to fill the audit log, or to use the processor.
 */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS:
    'samlStarts=100000/60,signUpsPerAddress=100000/60,refusedAnswers=100000/60,upstreamLogouts=300/60',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const upstream = closeAfterTests(await startApple())
const connections = 'auth/oidc-connections'
const created = await call('POST', connections, { ...describeApple(upstream), first_sign_in: 'create' })
if (created.status !== 201) throw new Error(created.text)
const path = `/api/2/${connections}/${created.body.id}`
const endpoint = new URL(created.body.apple_notifications_uri).pathname
const { table } = service.services
beforeEach(() => upstream.behave({}))

type Claims = Readonly<Record<string, unknown>>
const seconds = () => Math.floor(Date.now() / 1000)

const signIn = async (account: Claims = newAppleAccount()) => {
  upstream.behave({ tokens: { refresh_token: `token-${randomUUID()}` } })
  const browser = new TestBrowser(service)
  const { headers } = await browser.get(`${path}/start`, 'same-origin')
  const answer = await postAnswer(browser, upstream.authorize(headers.get('location') ?? '', account))
  const user = (await readUser(service, answer)) ?? 0
  return { user, account, sub: String(account['sub']), session: sessionOf(answer) ?? '' }
}
const works = async (session: string) =>
  (await service.client('GET', '/api/2/users/me', { bearer: session })).status === 200
const hasToken = async (id: number) => {
  const user = await findUser(table, id)
  if (!user) throw new Error('there is no user')
  return (await findCompanyAccounts(table, user)).some(({ refreshToken }) => refreshToken !== undefined)
}
const readNotices = async (user: number): Promise<readonly string[]> => {
  const { body } = await call('GET', `auth/audit-events?user=${user}&event=company_account.notified`)
  return body.map(({ target }: { target: string }) => target)
}
const send = (payload: unknown, to = endpoint): Promise<Answer> =>
  service.client('POST', to, { body: { payload } })
const notify = async (event: Claims, claims: Claims = {}, to = endpoint) =>
  send(await signNotification(upstream, event, claims), to)
const target = (change: string) => `oidc:${created.body.id} ${change}`

describe('a notification of Apple', () => {
  it.each([
    ['consent-revoked', 204],
    ['account-delete', 409],
  ])(
    'says whether the account still signs in: after %s, removing the passkey is %i',
    async (type, status) => {
      const { session, sub } = await signIn()
      const { passkey, id } = await addPasskey(service, { bearer: session })
      expect((await notify({ type, sub })).status).toBe(200)
      const bearer = (await signInWithPasskey(service, passkey)).body.session_key
      const removed = await service.client('DELETE', `/api/2/users/me/passkeys/${id}`, { bearer })
      expect(removed.status, removed.text).toBe(status)
    },
  )

  it.each([
    ['consent-revoked', 'consent_revoked'],
    ['account-delete', 'account_deleted'],
    ['account-deleted', 'account_deleted'],
  ])('ends the sessions of the account, and forgets its token: %s', async (type, change) => {
    const [first, other] = [await signIn(), await signIn()]
    const second = await signIn(first.account)
    const answer = await notify({ type, sub: first.sub })
    expect([answer.status, answer.text]).toEqual([200, '{}'])
    expect([await works(first.session), await works(second.session)]).toEqual([false, false])
    expect([await works(other.session), await hasToken(other.user)]).toEqual([true, true])
    expect([await hasToken(first.user), await readNotices(first.user)]).toEqual([false, [target(change)]])
    // Nothing is left to revoke.
    upstream.requests.length = 0
    expect((await call('DELETE', `users/${first.user}`)).status).toBe(204)
    await service.informClients()
    expect(upstream.requests.filter((one) => one.path === '/auth/revoke')).toEqual([])
  })

  it('leaves the other ways to sign in, and a new sign-in with Apple, as they are', async () => {
    const person = await addPerson(service)
    const account = newAppleAccount()
    const linked = { provider: created.body.id, name: account.sub }
    expect((await call('POST', `users/${person.user.id}/company-accounts`, linked)).status).toBe(201)
    const own = await signInHere(service, person)
    const { session, sub } = await signIn(account)
    await notify({ type: 'consent-revoked', sub })
    expect([await works(session), await works(own)]).toEqual([false, true])
    const again = await signIn(account)
    expect([again.user, await works(again.session)]).toEqual([person.user.id, true])
  })

  it.each([
    ['email-disabled', 'email_disabled'],
    ['email-enabled', 'email_enabled'],
  ])('about an address only gets an audit event: %s', async (type, change) => {
    const { user, sub, session, account } = await signIn()
    const event = { type, sub, email: 'mallory@example.com', is_private_email: 'true' }
    expect((await notify(event)).status).toBe(200)
    expect([await works(session), await hasToken(user)]).toEqual([true, true])
    expect(await readNotices(user)).toEqual([target(change)])
    expect((await findUser(table, user))?.email).toBe(account['email'])
  })

  it('can name the App ID that the Services ID is grouped with, once the connection has it', async () => {
    const appId = 'com.example.app'
    const { sub, session } = await signIn()
    const event = { type: 'consent-revoked', sub }
    expect((await notify(event, { aud: appId })).status).toBe(400)
    expect((await call('PATCH', path.slice('/api/2/'.length), { apple_app_id: appId })).status).toBe(200)
    try {
      for (const aud of ['com.example.app.other', [appId, clientId], ''])
        expect((await notify(event, { aud })).status).toBe(400)
      expect(await works(session)).toBe(true)
      expect((await notify(event, { aud: appId })).status).toBe(200)
      expect(await works(session)).toBe(false)
      const again = await signIn()
      expect((await notify({ type: 'consent-revoked', sub: again.sub })).status).toBe(200)
      expect(await works(again.session)).toBe(false)
    } finally {
      await call('PATCH', path.slice('/api/2/'.length), { apple_app_id: null })
    }
    for (const wrong of ['com example', 'DEF123GHIJ/com.example.app', ''])
      expect(await call('PATCH', path.slice('/api/2/'.length), { apple_app_id: wrong })).toMatchObject({
        status: 400,
      })
  })

  it('about an account that nobody here has gets the same answer, and leaves nothing', async () => {
    const events = async () => (await call('GET', 'auth/audit-events?event=company_account.notified')).text
    const { sub } = await signIn()
    const before = await events()
    const unknown = await notify({ type: 'consent-revoked', sub: newAppleAccount().sub })
    expect(await events()).toBe(before)
    const known = await notify({ type: 'consent-revoked', sub })
    const describeAnswer = ({ status, text, headers }: Answer) => [status, text, [...headers.keys()].sort()]
    expect(describeAnswer(unknown)).toEqual(describeAnswer(known))
  })

  it('for an answer that was issued before and arrives later opens no session', async () => {
    const { account, sub } = await signIn()
    const browser = new TestBrowser(service)
    const { headers } = await browser.get(`${path}/start`, 'same-origin')
    const late = upstream.authorize(headers.get('location') ?? '', { ...account, iat: seconds() - 30 })
    expect((await notify({ type: 'account-delete', sub })).status).toBe(200)
    expect(sessionOf(await postAnswer(browser, late))).toBeUndefined()
  })

  it('counts once, also of 10 at the same time', async () => {
    const { user, sub, session, account } = await signIn()
    const claims = { jti: randomUUID(), iat: seconds() - 2 }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => notify({ type: 'consent-revoked', sub }, claims)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect([await works(session), await readNotices(user)]).toEqual([false, [target('consent_revoked')]])
    const newer = await signIn(account)
    for (const type of ['consent-revoked', 'account-delete'])
      expect((await notify({ type, sub }, claims)).status).toBe(200)
    expect([await works(newer.session), await hasToken(user)]).toEqual([true, true])
    expect(await readNotices(user)).toHaveLength(1)
  })

  it('that is late ends no session that began after it', async () => {
    const { sub, session } = await signIn()
    expect((await notify({ type: 'consent-revoked', sub }, { iat: seconds() - 1800 })).status).toBe(200)
    expect(await works(session)).toBe(true)
  })
})

describe('a planted deviation', () => {
  const other = signIn()
  /** Sends it, and expects that it changes nothing. */
  const expectNothing = async (
    deviate: (sub: string, event: string) => Promise<Answer>,
    expected: number | readonly number[],
  ) => {
    const { user, sub, session } = await signIn()
    const answer = await deviate(sub, JSON.stringify({ type: 'consent-revoked', sub, event_time: seconds() }))
    expect([expected].flat(), answer.text).toContain(answer.status)
    expect([await works(session), await hasToken(user), await readNotices(user)]).toEqual([true, true, []])
    expect(service.log.join('\n')).not.toContain(sub)
    return answer
  }
  const ofClaims: Readonly<Record<string, (sub: string, event: string) => Claims>> = {
    'another audience': () => ({ aud: 'com.example.other' }),
    'several audiences': () => ({ aud: [clientId, 'com.example.other'] }),
    'no audience': () => ({ aud: undefined }),
    'another issuer': () => ({ iss: 'https://account.apple.com' }),
    'no issuer': () => ({ iss: undefined }),
    'an old time': () => ({ iat: seconds() - appleNotificationMaxAgeMs / 1000 - 120 }),
    'a time in the future': () => ({ iat: seconds() + 3600 }),
    'no time': () => ({ iat: undefined }),
    'a text as time': () => ({ iat: String(seconds()) }),
    'an expiry in the past': () => ({ exp: seconds() - 600 }),
    'no ID': () => ({ jti: undefined }),
    'an empty ID': () => ({ jti: '' }),
    'a list as ID': () => ({ jti: ['x'] }),
    'events as an object': (sub) => ({ events: { type: 'consent-revoked', sub } }),
    'events as a list': (_, event) => ({ events: [event] }),
    'no events': () => ({ events: undefined }),
    'events that are broken': (_, event) => ({ events: event.slice(0, -1) }),
    'events that are empty': () => ({ events: '' }),
    'events that are null': () => ({ events: 'null' }),
    'events that are a list as text': (_, event) => ({ events: `[${event}]` }),
    'events without a subject': () => ({ events: '{"type":"consent-revoked"}' }),
    'events with a list as subject': (sub) => ({
      events: JSON.stringify({ type: 'consent-revoked', sub: [sub] }),
    }),
    'events with a list as type': (sub) => ({ events: JSON.stringify({ type: ['consent-revoked'], sub }) }),
    'events by a prototype': (sub) => ({
      events: `{"__proto__":{"type":"consent-revoked","sub":"${sub}"}}`,
    }),
    'a subject beside the events': (sub) => ({ sub, events: '{"type":"consent-revoked"}' }),
  }
  it.each(Object.keys(ofClaims))('is refused, and ends nothing: %s', async (name) => {
    const answer = await expectNothing(
      (sub, event) => notify({ type: 'consent-revoked', sub }, ofClaims[name]?.(sub, event)),
      400,
    )
    expect(answer.body.code).toBe('invalid_token')
  })

  const claimsOf = (events: string) => ({
    ...{ iss: upstream.issuer, aud: clientId, iat: seconds(), jti: randomUUID(), events },
  })
  const ofSignatures: Readonly<Record<string, (event: string) => Promise<string>>> = {
    'no signature': async (event) => new UnsecuredJWT(claimsOf(event)).encode(),
    'an HMAC with the client ID': (event) =>
      new SignJWT(claimsOf(event))
        .setProtectedHeader({ alg: 'HS256', kid: upstream.key.kid })
        .sign(Buffer.from(clientId.padEnd(64, '.'))),
    'an HMAC with the public key': (event) =>
      new SignJWT(claimsOf(event))
        .setProtectedHeader({ alg: 'HS256', kid: upstream.key.kid })
        .sign(Buffer.from(JSON.stringify(upstream.key.jwk))),
    'another key': (event) => signWith(upstream.otherKey, claimsOf(event), { kid: upstream.key.kid }),
    'an unknown key ID': (event) => signWith(upstream.otherKey, claimsOf(event), { kid: 'third' }),
    'a key in the header': (event) =>
      signWith(upstream.otherKey, claimsOf(event), { jwk: upstream.otherKey.jwk, kid: upstream.key.kid }),
    'a changed payload': async (event) => {
      const [header, , signature] = (await signWith(upstream.key, claimsOf('{}'))).split('.')
      return `${header}.${Buffer.from(JSON.stringify(claimsOf(event))).toString('base64url')}.${signature}`
    },
    'five parts': async () => 'a.b.c.d.e',
  }
  it.each(Object.keys(ofSignatures))('is refused, and ends nothing: %s', async (name) => {
    await expectNothing(async (_, event) => send(await ofSignatures[name]?.(event)), 400)
  })

  it.each<readonly [string, number, (payload: string) => Parameters<typeof service.client>[2]]>([
    ['no body', 400, () => ({ raw: '', headers: { 'content-type': 'application/json' } })],
    ['no payload', 400, () => ({ body: {} })],
    ['an empty payload', 400, () => ({ body: { payload: '' } })],
    ['a list as payload', 400, (payload) => ({ body: { payload: [payload] } })],
    ['an object as payload', 400, () => ({ body: { payload: { type: 'consent-revoked' } } })],
    ['a list as body', 400, (payload) => ({ body: [{ payload }] })],
    ['a long payload', 400, () => ({ body: { payload: 'x'.repeat(9000) } })],
    ['a huge body', 413, () => ({ body: { payload: 'x'.repeat(20_000) } })],
    ['a payload that is there twice', 400, (payload) => ({ raw: `{"payload":"${payload}","payload":"x"}` })],
    ['a payload by a prototype', 400, (payload) => ({ raw: `{"__proto__":{"payload":"${payload}"}}` })],
    ['broken JSON', 400, (payload) => ({ raw: `{"payload":"${payload}"` })],
    [
      'a form',
      415,
      (payload) => ({
        raw: String(new URLSearchParams({ payload })),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    ],
    [
      'a text',
      415,
      (payload) => ({
        raw: JSON.stringify({ payload }),
        headers: { 'content-type': 'text/plain' },
      }),
    ],
  ])('of the body is refused: %s', async (_, status, describeBody) => {
    await expectNothing(async (__, event) => {
      const options = describeBody(await signWith(upstream.key, claimsOf(event)))
      const headers = { 'content-type': 'application/json', ...options?.headers }
      return service.client('POST', endpoint, { ...options, ...(options?.raw !== undefined && { headers }) })
    }, status)
  })

  it('is no way to another connection: its token, a company, another provider, and none', async () => {
    const google = await addPublicConnection(service, admin.bearer, closeAfterTests(await startUpstream()))
    const token = (sub: string) => signNotification(upstream, { type: 'consent-revoked', sub })
    for (const id of [google.id, 99_999])
      await expectNothing(
        async (sub) => send(await token(sub), endpoint.replace(/\d+(?=\/apple)/, String(id))),
        404,
      )
    // Another service at Apple: signed with the same keys, for its own client.
    await expectNothing(
      (sub) => notify({ type: 'consent-revoked', sub }, { aud: 'com.example.another-service' }),
      400,
    )
    // An ID token, and a logout token.
    await expectNothing(
      async (sub) => send(await signWith(upstream.key, { ...claimsOf('x'), sub, events: undefined })),
      400,
    )
  })

  it('of an unknown type has no effect', async () => {
    for (const type of ['consent-granted', 'constructor', '__proto__', '', 'CONSENT-REVOKED'])
      await expectNothing((sub) => notify({ type, sub }), 200)
  })

  it('about a subject of another team has no effect', async () => {
    const { user, sub, session } = await signIn()
    const change = async (apple_team_id: string) =>
      expect((await call('PATCH', path, { apple_team_id })).status).toBe(200)
    await change('TEAM9LATCH')
    expect((await notify({ type: 'consent-revoked', sub })).status).toBe(200)
    await change('TEAM4LATCH')
    expect([await works(session), await hasToken(user), await readNotices(user)]).toEqual([true, true, []])
  })

  it('did not end the sessions of anybody else', async () => {
    expect(await works((await other).session)).toBe(true)
  })
})

describe('many notifications', () => {
  it('with unknown keys do not become a flood of requests at Apple', async () => {
    upstream.requests.length = 0
    for (let times = 0; times < 20; times++)
      expect(
        (
          await send(
            await signWith(
              upstream.otherKey,
              {
                ...{ iss: upstream.issuer, aud: clientId, iat: seconds(), jti: randomUUID(), events: '{}' },
              },
              { kid: `unknown-${times}` },
            ),
          )
        ).status,
      ).toBe(400)
    expect(upstream.requests.filter((request) => request.path === '/jwks').length).toBeLessThan(3)
  })

  it('are limited for a network before any of them is verified', async () => {
    const { user, sub, session } = await signIn()
    upstream.requests.length = 0
    const payload = await signNotification(upstream, { type: 'unknown', sub })
    let sent = 0
    while ((await send(payload)).status === 200) expect(++sent).toBeLessThan(700)
    const late = await notify({ type: 'consent-revoked', sub })
    expect([late.status, late.headers.has('retry-after')]).toEqual([429, true])
    expect([await works(session), await hasToken(user), await readNotices(user)]).toEqual([true, true, []])
    expect(upstream.requests.filter((request) => request.path === '/jwks').length).toBeLessThan(3)
  })
})
