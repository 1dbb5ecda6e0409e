import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import {
  addConnection,
  type Behavior,
  backchannelLogoutEvent,
  clientId,
  clientSecret,
  signInByUpstream,
  signWith,
  startUpstream,
} from '../support/oidc-upstream.ts'
import { addSignedIn } from '../support/people.ts'
import { sessionOf } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* Sign-outs of an identity provider, with the modules of the OpenID Foundation's plan for relying parties by their names. */

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true', RATE_LIMITS: 'samlStarts=100000/60' })
const upstream = closeAfterTests(await startUpstream())
const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
const connection = await addConnection(service, bearer, upstream.issuer, { auto_create_users: true })

type Sign = NonNullable<Behavior['sign']>
const withoutSignature: Sign = async (claims) => new UnsecuredJWT(claims).encode()
const signByOther: Sign = (claims, { otherKey, key }) => signWith(otherKey, claims, { kid: key.kid })

const event = backchannelLogoutEvent
const seconds = () => Math.floor(Date.now() / 1000)

interface LogoutFacts {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly sign?: Sign
}

const postLogout = async (id: number, token: string) => {
  const path = `/api/2/auth/oidc-connections/${id}/backchannel-logout`
  const body = new URLSearchParams({ logout_token: token })
  const answer = await fetch(`${service.url}${path}`, { method: 'POST', body })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as JsonValue }
}
const sendLogout = async ({ claims = {}, sign = (all, idp) => signWith(idp.key, all) }: LogoutFacts) => {
  const all = Object.fromEntries(
    Object.entries({
      ...{ iss: upstream.issuer, aud: clientId, iat: seconds(), jti: crypto.randomUUID() },
      ...{ events: { [event]: {} }, sub: 'out' },
      ...claims,
    }).filter(([, value]) => value !== undefined),
  )
  return postLogout(connection.id, await sign(all, upstream))
}
const openSession = async (claims: object = {}) =>
  sessionOf((await signInByUpstream(connection, upstream, { sub: 'out', ...claims })).answer) ?? ''
const works = async (session: string) =>
  (await service.client('GET', '/api/2/users/me', { bearer: session })).status === 200

describe('the plan Back-channel logout', () => {
  it('oidcc-client-test-rp-backchannel-rpinitlogout', async () => {
    const [own, other] = [await openSession(), await openSession({ sub: 'stays' })]
    const answer = await sendLogout({})
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect([await works(own), await works(other)]).toEqual([false, true])
  })

  it.each<[string, LogoutFacts]>([
    ['oidcc-client-test-rp-backchannel-rpinitlogout-alg-none', { sign: withoutSignature }],
    ['oidcc-client-test-rp-backchannel-rpinitlogout-no-event', { claims: { events: undefined } }],
    ['oidcc-client-test-rp-backchannel-rpinitlogout-with-nonce', { claims: { nonce: 'n' } }],
    [
      'oidcc-client-test-rp-backchannel-rpinitlogout-wrong-alg',
      {
        sign: (claims) =>
          new SignJWT(claims)
            .setProtectedHeader({ alg: 'HS256' })
            .sign(Buffer.from(clientSecret.padEnd(64, '.'))),
      },
    ],
    ['oidcc-client-test-rp-backchannel-rpinitlogout-wrong-aud', { claims: { aud: 'other' } }],
    ['oidcc-client-test-rp-backchannel-rpinitlogout-wrong-event', { claims: { events: { x: {} } } }],
    ['oidcc-client-test-rp-backchannel-rpinitlogout-wrong-iss', { claims: { iss: 'https://other.example' } }],
    ['the key of another', { sign: signByOther }],
    ['neither a user nor a session', { claims: { sub: undefined } }],
    ['an old token', { claims: { iat: seconds() - 400 } }],
    ['a token of the future', { claims: { iat: seconds() + 400 } }],
    ['no ID', { claims: { jti: undefined } }],
    ['no time', { claims: { iat: undefined } }],
    ['events that are a list', { claims: { events: [event] } }],
    ['a user that is no text', { claims: { sub: ['out'] } }],
    ['a session that is no text', { claims: { sid: { toString: 'x' } } }],
    ['no token', { sign: async () => 'a.b.c' }],
  ])('%s ends nothing', async (_, facts) => {
    const session = await openSession()
    const answer = await sendLogout(facts)
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
    expect(await works(session)).toBe(true)
  })
})

describe('a logout token', () => {
  it('ends one session of the user, or the session alone, by its ID', async () => {
    const [first, second, third] = [
      await openSession({ sid: 'one' }),
      await openSession({ sid: 'two' }),
      await openSession({ sid: 'three' }),
    ]
    await sendLogout({ claims: { sid: 'one' } })
    expect([await works(first), await works(second), await works(third)]).toEqual([false, true, true])
    await sendLogout({ claims: { sid: 'two', sub: 'another user' } })
    expect(await works(second)).toBe(true)
    await sendLogout({ claims: { sid: 'two', sub: undefined } })
    expect([await works(second), await works(third)]).toEqual([false, true])
    await sendLogout({})
    expect(await works(third)).toBe(false)
  })

  it('can be sent again, also a hundred times at once, and ends no newer session', async () => {
    const iat = seconds() - 200
    const newer = await openSession({ sub: 'replayed' })
    const facts = { claims: { sub: 'replayed', iat, jti: 'same' } }
    const answers = await Promise.all(Array.from({ length: 100 }, () => sendLogout(facts)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await works(newer)).toBe(true)
  })

  it('that arrives again ends what it missed, and no session that began after it first arrived', async () => {
    const facts = (jti: string) => ({ claims: { sub: 'again', iat: seconds() - 5, jti } })
    const first = facts('first')
    const old = await openSession({ sub: 'again' })
    expect([(await sendLogout(first)).status, await works(old)]).toEqual([200, false])
    const newer = await openSession({ sub: 'again' })
    for (let repeated = 0; repeated < 3; repeated++) expect((await sendLogout(first)).status).toBe(200)
    expect(await works(newer)).toBe(true)
    // Another token with the same time is not a repetition.
    expect([(await sendLogout(facts('second'))).status, await works(newer)]).toEqual([200, false])
  })

  it('also counts for an answer that was issued before and arrives later', async () => {
    const started = await connection.start()
    const answer = upstream.authorize(started.location, { sub: 'late', sid: 'late', iat: seconds() - 30 })
    expect((await sendLogout({ claims: { sub: undefined, sid: 'late' } })).status).toBe(200)
    const refused = await started.browser.get(answer.pathname + answer.search, 'cross-site')
    expect(sessionOf(refused)).toBeUndefined()
  })

  it('of one connection ends nothing at another, and nothing at an unknown one', async () => {
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const second = await addConnection(service, bearer, upstream.issuer, {
      auto_create_users: true,
      client_id: clientId,
    })
    const { answer } = await signInByUpstream(second, upstream, { sub: 'shared' })
    await sendLogout({ claims: { sub: 'shared' } })
    expect(await works(sessionOf(answer) ?? '')).toBe(true)
    expect((await postLogout(999, 'a.b.c')).status).toBe(404)
  })
})
