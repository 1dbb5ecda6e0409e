import { randomUUID } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, exportPKCS8, generateKeyPair } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { findSessionAndUser } from '../../lib/accounts/sessions/find-sessions.records.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { oidcKind } from '../../lib/features/connections/oidc/records.ts'
import { startOidcSignIn } from '../../lib/features/connections/oidc/start-sign-in.ts'
import { findConnectionOf } from '../../lib/features/connections/records.ts'
import { createFlowCookie } from '../../lib/http/flow-cookie.ts'
import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import {
  appleKeyId,
  appleTeamId,
  createAppleKey,
  describeApple,
  newAppleAccount,
  newAppleUser,
  postAnswer,
  startApple,
} from '../support/apple-upstream.ts'
import { TestBrowser } from '../support/browser.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { decide, openQuestion } from '../support/company-sign-in.ts'
import { clientId, openCallback, signWith, startUpstream } from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { addPublicConnection, newGoogleAccount, readUser } from '../support/public-upstream.ts'
import { sessionOf } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* Apple for everybody: the browser posts the answer from another site, and the service makes its secret from a key. */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS:
    'samlStarts=100000/60,signUpsPerAddress=100000/60,refusedAnswers=100000/60,emailConfirmationsPerRecipient=500/3600',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const upstream = closeAfterTests(await startApple())
const connections = 'auth/oidc-connections'
const fields = { ...describeApple(upstream), first_sign_in: 'create' }
const created = await call('POST', connections, fields)
if (created.status !== 201) throw new Error(created.text)
const path = `/api/2/${connections}/${created.body.id}`
const change = async (body: object) => {
  const { status, text } = await call('PATCH', path, body)
  expect(status, text).toBe(200)
}
beforeEach(() => upstream.behave({}))

const start = async (browser: TestBrowser, query = ''): Promise<string> =>
  (await browser.get(`${path}/start${query}`, 'same-origin')).headers.get('location') ?? ''
type Claims = Readonly<Record<string, unknown>>
const signIn = async (
  account: Claims = newAppleAccount(),
  more: object = {},
  browser = new TestBrowser(service),
) => {
  const answer = await postAnswer(browser, upstream.authorize(await start(browser), account), more)
  return { answer, browser, user: await readUser(service, answer) }
}
const readStored = async (id: number | undefined) => {
  const user = await findUser(service.services.table, id ?? 0)
  if (!user) throw new Error(`there is no user ${id}`)
  return user
}
const seconds = () => Math.floor(Date.now() / 1000)
const newAddress = (at = 'icloud.com') => `${randomUUID()}@${at}`

describe('an answer of Apple', () => {
  it('opens a session, although the browser posts it from another site', async () => {
    const browser = new TestBrowser(service)
    const location = await start(browser)
    expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
      ...{
        client_id: clientId,
        response_type: 'code',
        response_mode: 'form_post',
        scope: 'openid email name',
      },
      ...{ redirect_uri: created.body.redirect_uri, code_challenge_method: 'S256' },
    })
    const answer = await postAnswer(browser, upstream.authorize(location, newAppleAccount()))
    expect(answer.status, answer.text).toBe(303)
    expect(await readUser(service, answer)).toBeDefined()
    const back = await browser.get(answer.headers.get('location') ?? '', 'cross-site')
    expect(back.status).toBe(303)
  })

  it('comes with the cookie of the sign-in, which browsers send across sites', () => {
    const config = { ...service.services.config, publicUrl: 'https://auth.example.com' }
    const { cookie } = createFlowCookie(config, [])
    expect(cookie).toMatch(/^__Host-latchkey-saml-\d=[\w-]{43}; Secure; SameSite=None; Path=\/; HttpOnly; /)
  })

  it('is asked for without a prompt, which Apple does not know', async () => {
    const { searchParams } = new URL(await start(new TestBrowser(service), '?force_authn=true'))
    expect([searchParams.has('prompt'), searchParams.has('max_age')]).toEqual([false, false])
    expect(searchParams.get('nonce')).toMatch(/^[\w-]{43}$/)
  })

  it.each<readonly [string, Claims]>([
    ['another issuer', { iss: 'https://account.apple.com' }],
    ['the issuer with a slash', { iss: `${upstream.issuer}/` }],
    ['no issuer', { iss: undefined }],
    ['another audience', { aud: 'com.example.other' }],
    ['the team as audience', { aud: appleTeamId }],
    ['several audiences, for another', { aud: [clientId, 'other'], azp: 'other' }],
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['no nonce, and no support of it', { nonce: undefined, nonce_supported: false }],
    ['expired', { exp: seconds() - 3600, iat: seconds() - 7200 }],
    ['no expiry', { exp: undefined }],
    ['a text as expiry', { exp: String(seconds() + 300) }],
    ['not valid yet', { nbf: seconds() + 86_400 }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a number as subject', { sub: 7 }],
    ['a list as subject', { sub: ['001234.a.0001'] }],
    ['a subject with a line end', { sub: '001234.a.0001\n' }],
    ['a subject that is too long', { sub: '7'.repeat(256) }],
    ['a time of sign-in in the future', { auth_time: seconds() + 86_400 }],
    ['a text as time of sign-in', { auth_time: String(seconds()) }],
  ])('is refused: %s', async (_, claims) => {
    const { answer, user } = await signIn(newAppleAccount(claims))
    expect([answer.status, user]).toEqual([401, undefined])
    expect(answer.text).toContain('Signing in with Apple did not work')
  })

  it.each<readonly [string, Parameters<typeof upstream.behave>[0]]>([
    ['another key', { sign: (claims) => signWith(upstream.otherKey, claims) }],
    ['an unknown key ID', { sign: (claims) => signWith(upstream.otherKey, claims, { kid: 'third' }) }],
    [
      'no signature',
      {
        sign: async (claims) =>
          `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`,
      },
    ],
    ['no ID token', { tokens: { id_token: undefined } }],
    ['an object as ID token', { tokens: { id_token: { sub: 'x' } } }],
    ['an error', { tokenStatus: 400, tokens: { error: 'invalid_grant' } }],
  ])('is refused: %s', async (_, behavior) => {
    upstream.behave(behavior)
    const { answer, user } = await signIn()
    expect([answer.status, user]).toEqual([401, undefined])
    expect(answer.text).toContain('Signing in with Apple did not work')
  })

  it('counts once, in the browser that began, with its own code', async () => {
    const browser = new TestBrowser(service)
    const answer = upstream.authorize(await start(browser), newAppleAccount())
    expect((await postAnswer(new TestBrowser(service), answer)).status).toBe(401)
    const other = new TestBrowser(service)
    await start(other)
    expect((await postAnswer(other, answer)).status).toBe(401)
    expect((await postAnswer(browser.clone(), answer)).status).toBe(303)
    expect((await postAnswer(browser, answer)).status).toBe(401)
    // The code of somebody else, in an own sign-in.
    const victim = upstream.authorize(await start(new TestBrowser(service)), newAppleAccount())
    const injected = upstream.authorize(await start(browser), newAppleAccount())
    injected.searchParams.set('code', victim.searchParams.get('code') ?? '')
    expect((await postAnswer(browser, injected)).status).toBe(401)
  })

  it('of an attacker signs nobody in to the account of the attacker (login CSRF)', async () => {
    const attacker = new TestBrowser(service)
    const theirs = upstream.authorize(await start(attacker), newAppleAccount())
    const victim = new TestBrowser(service)
    const began = upstream.authorize(await start(victim), newAppleAccount())
    const withOwnState = new URL(theirs)
    withOwnState.searchParams.set('state', began.searchParams.get('state') ?? '')
    for (const form of [theirs, withOwnState]) {
      const answer = await postAnswer(victim, form)
      expect([answer.status, sessionOf(answer)]).toEqual([401, undefined])
    }
    const unknown = await victim.postByScript(`${path}/callback`, { code: 'x', state: 'x' })
    expect([unknown.status, unknown.body.reason]).toEqual([401, 'unsolicited'])
  })

  it('of 10 at the same time counts once', async () => {
    const browser = new TestBrowser(service)
    const answer = upstream.authorize(await start(browser), newAppleAccount())
    const answers = await Promise.all(Array.from({ length: 10 }, () => postAnswer(browser.clone(), answer)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9)
  })

  it('comes as a form alone, and the answer of any other provider never does', async () => {
    const browser = new TestBrowser(service)
    const account = newAppleAccount()
    const inAddress = upstream.authorize(await start(browser), account)
    expect((await openCallback(browser, inAddress)).status).toBe(401)
    // It is used up.
    expect((await postAnswer(browser, inAddress)).status).toBe(401)

    const plain = closeAfterTests(await startUpstream())
    const google = await addPublicConnection(service, admin.bearer, plain, { first_sign_in: 'create' })
    const started = await browser.get(`${google.path}/start`, 'same-origin')
    const posted = plain.authorize(started.headers.get('location') ?? '', newGoogleAccount())
    const form = Object.fromEntries(posted.searchParams)
    const refused = await browser.postByScript(posted.pathname, form)
    expect([refused.status, refused.body.detail]).toEqual([
      401,
      expect.stringContaining('came in another way'),
    ])
    // Nor does one connection get the sign-in of the other.
    const elsewhere = upstream.authorize(await start(browser), account)
    elsewhere.pathname = `${google.path}/callback`
    expect((await postAnswer(browser, elsewhere)).status).toBe(401)
  })

  it('says that the person did not agree', async () => {
    const browser = new TestBrowser(service)
    const state = new URL(await start(browser)).searchParams.get('state') ?? ''
    const form = { state, error: 'user_cancelled_authorize' }
    const refused = await browser.postByScript(`${path}/callback`, form)
    expect([refused.status, refused.body.reason]).toEqual([401, 'provider_refused'])
  })
})

describe('a form that is not what Apple sends', () => {
  const send = async (
    write: (form: URLSearchParams) => string,
    type = 'application/x-www-form-urlencoded',
  ) => {
    const browser = new TestBrowser(service)
    const { searchParams, pathname } = upstream.authorize(await start(browser), newAppleAccount())
    const answer = await service.client('POST', pathname, {
      raw: write(searchParams),
      headers: {
        ...{ 'content-type': type, accept: 'text/html', origin: 'https://appleid.apple.com' },
        ...{ 'sec-fetch-site': 'cross-site', cookie: browser.cookieHeader(pathname, 'cross-site', 'POST') },
      },
    })
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(sessionOf(answer)).toBeUndefined()
    return answer.status
  }
  const withUser = (user: string) => (form: URLSearchParams) => {
    form.set('user', user)
    return String(form)
  }

  it.each<readonly [string, number, (form: URLSearchParams) => string]>([
    ['an empty body', 401, () => ''],
    ['a repeated code', 400, (form) => `${form}&code=x`],
    ['a repeated state', 400, (form) => `${form}&state=${form.get('state')}`],
    ['a repeated user', 400, (form) => `${form}&user=%7B%7D&user=%7B%7D`],
    ['no state', 401, (form) => String(new URLSearchParams({ code: form.get('code') ?? '' }))],
    ['no code', 401, (form) => String(new URLSearchParams({ state: form.get('state') ?? '' }))],
    ['a user of 5 KB', 400, withUser(JSON.stringify({ name: { firstName: 'x'.repeat(5000) } }))],
    ['a user of 100 KB', 413, withUser('x'.repeat(100_000))],
    ['nested lists', 401, withUser('['.repeat(4000))],
    ['an empty user', 400, withUser('')],
    ['no JSON', 401, withUser('{name:')],
    ['null', 401, withUser('null')],
    ['a list', 401, withUser('[{"name":{}}]')],
    ['a text', 401, withUser('"Grace"')],
    ['a number', 401, withUser('7')],
    ['a text as name', 401, withUser('{"name":"Grace"}')],
    ['a list as name', 401, withUser('{"name":["Grace"]}')],
  ])('gets a page about it: %s', async (_, status, write) => {
    expect(await send(write)).toBe(status)
  })

  it('gets a page about another type', async () => {
    expect(await send((form) => JSON.stringify(Object.fromEntries(form)), 'application/json')).toBe(415)
    expect(await send(String, 'text/plain')).toBe(415)
    expect(await send(String, 'multipart/form-data; boundary=x')).toBe(415)
  })

  it('does not become a session by parameters in the address', async () => {
    const browser = new TestBrowser(service)
    const answer = upstream.authorize(await start(browser), newAppleAccount())
    const posted = await browser.post(answer.pathname + answer.search, {})
    expect([posted.status, sessionOf(posted)]).toEqual([400, undefined])
  })
})

describe('the name of a person', () => {
  const nameOf = async (user: string) =>
    (await readStored((await signIn(newAppleAccount(), { user })).user)).full_name

  it('comes with the first sign-in, and stays', async () => {
    const account = newAppleAccount()
    const { user } = await signIn(account, { user: newAppleUser() })
    expect((await readStored(user)).full_name).toBe('Grace Hopper')
    expect((await signIn(account)).user).toBe(user)
    expect((await signIn(account, { user: newAppleUser('Mallory', 'Mallet') })).user).toBe(user)
    expect((await readStored(user)).full_name).toBe('Grace Hopper')
  })

  it('stays until the person has decided about the account', async () => {
    await change({ first_sign_in: 'ask' })
    const { browser, answer } = await signIn(newAppleAccount(), { user: newAppleUser('Ada', 'Lovelace') })
    const decided = await decide(browser, await openQuestion(browser, answer), 'yes')
    expect((await readStored(await readUser(service, decided))).full_name).toBe('Ada Lovelace')
    await change({ first_sign_in: 'create' })
  })

  it('does not change that of an account which the person connects', async () => {
    const person = await addSignedIn(service, { full_name: 'Ada King' })
    const browser = new TestBrowser(service)
    const { username } = person.user
    browser.keep(
      await service.client('POST', '/api/2/auth/login', {
        body: { username, password: person.password },
        headers: { origin: service.url, 'sec-fetch-site': 'same-origin' },
      }),
    )
    const account = newAppleAccount()
    const answer = upstream.authorize(await start(browser, '?link=true'), account)
    expect((await postAnswer(browser, answer, { user: newAppleUser('Mallory', 'Mallet') })).status).toBe(303)
    const connected = await signIn(account)
    expect(connected.user).toBe(person.user.id)
    expect((await readStored(connected.user)).full_name).toBe('Ada King')
  })

  it.each<readonly [string, string, string | null]>([
    ['no name', '{}', null],
    ['null', '{"name":null}', null],
    ['a first name alone', '{"name":{"firstName":"Grace"}}', 'Grace'],
    ['a name of 101 characters', newAppleUser('x'.repeat(101)), 'Hopper'],
    ['a number', newAppleUser(7), 'Hopper'],
    ['an object', newAppleUser({ toString: 'x' }, ['Hopper']), null],
    ['blanks', newAppleUser('  ', ' '), null],
    ['invisible characters', newAppleUser('Gr\u0000a\u202ece', 'Hop\nper'), 'Grace Hopper'],
    ['`__proto__`', '{"__proto__":{"name":{"firstName":"x"}}}', null],
    ['`__proto__` in the name', '{"name":{"__proto__":{"firstName":"x","lastName":"x"}}}', null],
    ['other fields', '{"name":{"firstName":"Grace","sub":"x"},"sub":"x","email_verified":true}', 'Grace'],
  ])('is read with care: %s', async (_, user, name) => {
    expect(await nameOf(user)).toBe(name)
  })

  it('brings no address with it, which nobody signed', async () => {
    const email = newAddress()
    const owner = await addPerson(service, { email })
    const user = JSON.stringify({ name: { firstName: 'Grace' }, email, email_verified: true })
    for (const known of [undefined, newAddress()]) {
      const { answer, user: id } = await signIn(newAppleAccount({ email: known }), { user })
      expect(answer.status).toBe(303)
      expect(id).not.toBe(owner.user.id)
      const stored = await readStored(id)
      expect([stored.email, stored.pendingEmail]).toEqual([known ?? null, undefined])
    }
  })

  it('of the ID token counts first, because it is signed', async () => {
    const { user } = await signIn(newAppleAccount({ given_name: 'Signed', family_name: 'Name' }), {
      user: newAppleUser(),
    })
    expect((await readStored(user)).full_name).toBe('Signed Name')
  })
})

describe('an account at Apple', () => {
  it('is its subject, whatever its address is', async () => {
    const account = newAppleAccount()
    const { user } = await signIn(account)
    expect((await signIn({ ...account, email: newAddress() })).user).toBe(user)
    const other = await signIn(newAppleAccount({ email: account.email }))
    expect(other.user).toBeDefined()
    expect(other.user).not.toBe(user)
  })

  it('belongs to a team: the same subject of another team is somebody else', async () => {
    const account = newAppleAccount()
    const { user } = await signIn(account)
    const foreign = await call('POST', `users/${(await addPerson(service)).user.id}/company-accounts`, {
      ...{ provider: created.body.id, name: account.sub },
    })
    expect(foreign.status).toBe(409)
    await change({ apple_team_id: 'TEAM5LATCH' })
    // Apple refuses the secret of the wrong team, and another one names people in its own way.
    expect((await signIn(account)).answer.status).toBe(401)
    const person = await addPerson(service)
    const linked = await call('POST', `users/${person.user.id}/company-accounts`, {
      ...{ provider: created.body.id, name: account.sub },
    })
    expect(linked.status, linked.text).toBe(201)
    await change({ apple_team_id: appleTeamId })
    expect((await signIn(account)).user).toBe(user)
  })

  it('stays when the connection is removed and added again', async () => {
    const account = newAppleAccount()
    const { user } = await signIn(account, { user: newAppleUser() })
    expect((await call('DELETE', `${connections}/${created.body.id}`)).status).toBe(204)
    const again = await call('POST', connections, fields)
    expect([again.status, again.body.id]).toEqual([201, created.body.id])
    expect((await signIn(account)).user).toBe(user)
  })

  it('is no second factor, whatever its token says', async () => {
    const { answer, user } = await signIn(
      newAppleAccount({ acr: 'mfa', amr: ['mfa', 'hwk'], real_user_status: 2 }),
    )
    const { hash = '' } = parseCredential(sessionOf(answer) ?? '') ?? {}
    const { session } = await findSessionAndUser(service.services.table, user ?? 0, hash)
    expect(session?.authentication.methods).toEqual(['oidc'])
    const person = await addPerson(service, { permissions: ['users:manage'] })
    const account = newAppleAccount()
    await call('POST', `users/${person.user.id}/company-accounts`, {
      provider: created.body.id,
      name: account.sub,
    })
    const refused = await signIn(account)
    expect([refused.answer.status, refused.user]).toEqual([403, undefined])
  })

  it.each<readonly [unknown, boolean]>([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    [undefined, false],
    [null, false],
    [1, false],
    ['1', false],
    ['TRUE', false],
    [['true'], false],
    [{}, false],
  ])('has a confirmed address with `email_verified` %o: %s', async (email_verified, isConfirmed) => {
    for (const is_private_email of ['true', true, 'false', undefined]) {
      const account = newAppleAccount({ email_verified, is_private_email })
      const { email, pendingEmail } = await readStored((await signIn(account)).user)
      expect([email, pendingEmail?.email]).toEqual(
        isConfirmed ? [account.email, undefined] : [null, account.email],
      )
    }
  })

  it.each(['verified', 'squatted', 'disabled', 'invited'] as const)(
    'never gets the account of somebody who has its address: %s',
    async (kind) => {
      for (const email_verified of ['true', 'false']) {
        const email = newAddress()
        const owner = await addPerson(service, {
          email,
          ...(kind === 'squatted' && { emailVerified: false }),
          ...(kind === 'disabled' && { is_enabled: false }),
        })
        if (kind === 'invited') await call('POST', `users/${owner.user.id}/invitation`, {})
        const before = await readStored(owner.user.id)
        const { answer, user } = await signIn(newAppleAccount({ email, email_verified }))
        expect([answer.status, user === owner.user.id, user === undefined]).toEqual([303, false, false])
        const [mine, theirs] = [await readStored(user), await readStored(owner.user.id)]
        expect(theirs.passwordHash).toBe(before.passwordHash)
        // A claim that nobody proved gives way to the proof of Apple alone.
        const isOwner = kind === 'squatted' && email_verified === 'true'
        expect([mine.email, theirs.email]).toEqual(isOwner ? [email, null] : [null, email])
      }
    },
  )

  it('of a disabled user signs nobody in', async () => {
    const account = newAppleAccount()
    const { user } = await signIn(account)
    expect((await call('PATCH', `users/${user}`, { is_enabled: false })).status).toBe(200)
    const refused = await signIn(account)
    expect([refused.answer.status, refused.user]).toEqual([403, undefined])
  })

  it('of a company that requires its own sign-in never enters', async () => {
    const domain = 'company-at-apple.example'
    const earlier = newAppleAccount()
    const { user } = await signIn(earlier)
    const company = await call('POST', connections, {
      ...{ name: 'Company', issuer: 'https://idp.company.example', client_id: 'id', client_secret: 'secret' },
      required_for_domains: true,
    })
    const domains = `/api/2/auth/connections/${company.body.id}/domains`
    expect((await call('POST', domains, { domain })).status).toBe(201)
    expect((await call('POST', `${domains}/${domain}/vouch`)).status).toBe(200)
    for (const email_verified of ['true', 'false']) {
      const refused = await signIn(newAppleAccount({ email: `grace@${domain}`, email_verified }))
      expect([refused.answer.status, refused.answer.text.includes('Company')]).toEqual([403, true])
      expect((await signIn({ ...earlier, email: `grace@${domain}`, email_verified })).answer.status).toBe(403)
    }
    expect((await signIn(earlier)).user).toBe(user)
  })
})

describe('the client secret', () => {
  it('is a JWT that lives for minutes, new for each request, and neither stored nor logged', async () => {
    await signIn()
    await signIn()
    const sent = upstream.requests.filter((one) => one.path === '/token').slice(-2)
    const secrets = sent.map(({ body }) => body.get('client_secret') ?? '')
    expect(new Set(secrets).size).toBe(2)
    for (const secret of secrets) {
      const { iat = 0, exp = 0, ...payload } = decodeJwt(secret)
      expect(decodeProtectedHeader(secret)).toEqual({ alg: 'ES256', kid: appleKeyId })
      expect(payload).toEqual({ iss: appleTeamId, sub: clientId, aud: upstream.issuer })
      expect(exp - iat).toBe(300)
      expect(service.log.join('\n')).not.toContain(secret)
    }
    expect(sent.map(({ headers }) => headers['authorization'])).toEqual([undefined, undefined])
    const key = upstream.pem.split('\n')[1] ?? 'x'
    expect(service.log.join('\n')).not.toContain(key)
    for (const shown of [created.text, (await call('GET', path)).text, (await call('GET', connections)).text])
      expect([shown.includes(key), shown.includes('********')]).toEqual([false, true])
    const stored = await findConnectionOf(service.services.table, oidcKind, created.body.id)
    expect(JSON.stringify(stored)).not.toContain(key)
  })

  it.each<readonly [string, object]>([
    ['of another team', { apple_team_id: 'TEAM9LATCH' }],
    ['of another key', { apple_key_id: 'KEY9LATCH9' }],
    ['of another client', { client_id: 'com.example.other' }],
  ])('is refused at Apple, in words: %s', async (_, wrong) => {
    await change(wrong)
    const browser = new TestBrowser(service)
    const answer = upstream.authorize(await start(browser), newAppleAccount())
    const refused = await browser.postByScript(answer.pathname, Object.fromEntries(answer.searchParams))
    expect([refused.status, refused.body.reason]).toEqual([401, 'token_refused'])
    await change({ apple_team_id: appleTeamId, apple_key_id: appleKeyId, client_id: clientId })
    expect((await signIn()).answer.status).toBe(303)
  })

  it('with another private key is refused at Apple', async () => {
    await change({ client_secret: await createAppleKey() })
    expect((await signIn()).answer.status).toBe(401)
    // In one line, as a form field without lines sends it.
    await change({ client_secret: upstream.pem.replaceAll('\n', ' ').trim() })
    expect((await signIn()).answer.status).toBe(303)
    await change({ client_secret: '********', name: 'Apple' })
    expect((await signIn()).answer.status).toBe(303)
  })
})

describe('the settings of Apple', () => {
  const listErrors = async (body: object, method: 'POST' | 'PATCH' = 'POST') => {
    const answer = await call(method, method === 'POST' ? connections : path, body)
    expect(answer.status, answer.text).toBe(400)
    return answer.body.errors as readonly { readonly field: string; readonly message: string }[]
  }
  const fieldsOf = async (...given: Parameters<typeof listErrors>) => [
    ...new Set((await listErrors(...given)).map(({ field }) => field)),
  ]

  it('are all named if they are wrong', async () => {
    const { apple_team_id: _, apple_key_id: __, client_secret: ___, ...bare } = fields
    expect(await fieldsOf(bare)).toEqual(['apple_team_id', 'apple_key_id', 'client_secret'])
    const wrong = { issuer: 'https://account.apple.com', token_endpoint_auth_method: 'client_secret_basic' }
    expect(
      await fieldsOf({
        ...fields,
        ...wrong,
        apple_team_id: 'team4latch',
        apple_key_id: 'x',
        client_secret: 'x',
      }),
    ).toEqual(['token_endpoint_auth_method', ...['apple_team_id', 'apple_key_id', 'issuer', 'client_secret']])
    for (const method of ['client_secret_basic', 'private_key_jwt'])
      expect(await fieldsOf({ token_endpoint_auth_method: method }, 'PATCH')).toContain(
        'token_endpoint_auth_method',
      )
    for (const field of ['apple_team_id', 'apple_key_id'])
      for (const value of [null, 'ABCDEFGHI', 'ABCDEFGHIJK', 'ABCDEFGHI-', 'ＡBCDEFGHIJ', 'ABCDEFGHI\n', ''])
        expect(await fieldsOf({ [field]: value }, 'PATCH')).toEqual([field])
    expect(await fieldsOf({ hosted_domain: 'example.com' }, 'PATCH')).toEqual(['hosted_domain'])
  })

  it('take the key of Apple alone', async () => {
    const make = async (algorithm: string) =>
      exportPKCS8((await generateKeyPair(algorithm, { extractable: true })).privateKey)
    const secrets = [
      'secret',
      upstream.pem.replaceAll('PRIVATE KEY', 'EC PRIVATE KEY'),
      upstream.pem.replaceAll('PRIVATE KEY', 'PUBLIC KEY'),
      upstream.pem.slice(0, -60),
      await make('ES384'),
      await make('RS256'),
      await make('EdDSA'),
    ]
    for (const client_secret of secrets)
      for (const errors of [
        await listErrors({ ...fields, client_secret }),
        await listErrors({ client_secret }, 'PATCH'),
      ]) {
        expect(errors.map(({ field }) => field)).toEqual(['client_secret'])
        expect(JSON.stringify(errors)).not.toContain(upstream.pem.split('\n')[1])
      }
  })

  it('are for Apple alone', async () => {
    const plain = {
      ...{ name: 'Plain', issuer: 'https://idp.example', client_id: 'id', client_secret: 'secret' },
      ...{ apple_team_id: appleTeamId, apple_key_id: appleKeyId },
    }
    const both = ['apple_team_id', 'apple_key_id']
    expect(await fieldsOf(plain)).toEqual(both)
    expect(await fieldsOf({ ...plain, public_provider: 'oidc' })).toEqual(both)
    const google = { public_provider: 'google', issuer: 'https://accounts.google.com' }
    expect(await fieldsOf({ ...plain, ...google })).toEqual(both)
    for (const other of [null, 'oidc', 'google'])
      expect(await fieldsOf({ public_provider: other }, 'PATCH')).toContain('public_provider')
    const atApple = { ...plain, issuer: 'https://appleid.apple.com', apple_team_id: null, apple_key_id: null }
    expect(await fieldsOf({ ...atApple, public_provider: 'oidc' })).toEqual(['issuer'])
  })
})

describe('a service that Apple does not return to', () => {
  const open = async (publicUrl: string) => {
    const { services } = service
    const connection = await findConnectionOf(services.table, oidcKind, created.body.id)
    if (!connection) throw new Error('there is no connection')
    const options = { returnTo: null, forceAuthn: false, linkTo: undefined, device: undefined }
    const apple = { ...connection, issuer: 'https://appleid.apple.com' }
    const local = { ...services, config: { ...services.config, publicUrl } }
    return startOidcSignIn(local, apple, 'x'.repeat(43), options)
  }

  it.each([
    'http://127.0.0.1:3000',
    'http://localhost:3000',
    'http://auth.example.com',
    'https://localhost',
    'https://192.0.2.1',
    'https://[2001:db8::1]',
  ])('starts no sign-in: %s', async (publicUrl) => {
    await expect(open(publicUrl)).rejects.toMatchObject({
      code: 'permission_denied',
      details: { reason: 'needs_https', detail: expect.stringContaining(`this service is at ${publicUrl}.`) },
    })
  })

  it('says so on a page', async () => {
    expect((await call('DELETE', path)).status).toBe(204)
    const issuer = 'https://appleid.apple.com'
    const real = await call('POST', connections, { ...fields, issuer })
    expect(real.status, real.text).toBe(201)
    const started = await new TestBrowser(service).get(real.body.login_url, 'same-origin')
    expect([started.status, started.text.includes('Apple only signs people in at an https address')]).toEqual(
      [...[403, true]],
    )
  })
})
