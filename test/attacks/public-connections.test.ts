import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { findSessionAndUser } from '../../lib/accounts/sessions/find-sessions.records.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { firstSignInPolicy } from '../../lib/features/sign-in/policy.records.ts'
import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { TestBrowser } from '../support/browser.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { decide, openQuestion, readNext } from '../support/company-sign-in.ts'
import { readHiddenFields } from '../support/decisions.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { signWith, startUpstream } from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, callAs, trySignIn } from '../support/people.ts'
import { addPublicConnection, newGoogleAccount, readUser } from '../support/public-upstream.ts'
import { sessionOf } from '../support/saml.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* Providers for everybody: anyone can have an account there, also one that says it has the address of somebody else. */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'samlStarts=100000/60,signUpsPerAddress=100000/60,emailConfirmationsPerRecipient=500/3600',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const upstream = closeAfterTests(await startUpstream())
const other = closeAfterTests(await startUpstream())
const google = await addPublicConnection(service, admin.bearer, upstream, { first_sign_in: 'create' })
/** Says of every address that it is verified. */
const careless = await addPublicConnection(service, admin.bearer, other, {
  name: 'Careless',
  public_provider: 'oidc',
  first_sign_in: 'create',
})
beforeEach(async () => {
  upstream.behave({})
  await google.change({ first_sign_in: 'create' })
})

const { table } = service.services
const readStored = async (id: number | undefined) => {
  const user = await findUser(table, id ?? 0)
  if (!user) throw new Error(`there is no user ${id}`)
  return user
}
const callsOfLast = (): number => {
  const requests = service.log.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request')
  return requests.at(-1)?.table_calls
}
const newAddress = (at = 'gmail.com') => `${randomUUID()}@${at}`

describe('an account that has the address of a newcomer', () => {
  const kinds = {
    nobody: async () => undefined,
    verified: (email: string) => addPerson(service, { email }),
    squatted: (email: string) => addPerson(service, { email, emailVerified: false }),
    invited: (email: string) =>
      addPerson(service, { email, emailVerified: false, passwordHash: null, isEmailFromProvider: true }),
    disabled: (email: string) => addPerson(service, { email, is_enabled: false }),
    privileged: (email: string) => addPerson(service, { email, permissions: ['system:admin-access'] }),
    'without a password': (email: string) => addPerson(service, { email, passwordHash: null }),
  }
  const claims = {
    confirmed: {},
    unconfirmed: { email_verified: false },
    'confirmed by a text': { email_verified: 'true' },
    silent: { email_verified: undefined },
  }
  const said = [
    ['google', 'confirmed'],
    ['google', 'unconfirmed'],
    ['google', 'confirmed by a text'],
    ['careless', 'confirmed'],
    ['careless', 'silent'],
  ] as const
  for (const [provider, name] of said)
    it(`is never theirs: ${provider}, ${name}`, async () => {
      const connection = { google, careless }[provider]
      const seen = []
      for (const [kind, add] of Object.entries(kinds)) {
        const email = newAddress()
        const owner = await add(email)
        const account = newGoogleAccount({ email, ...claims[name] })
        const first = await connection.signIn(account)
        expect([kind, first.answer.status]).toEqual([kind, 303])
        const user = await readStored(first.user)
        expect([kind, user.id]).not.toEqual([kind, owner?.user.id])
        expect((await connection.signIn(account)).user).toBe(user.id)
        const isProven = provider === 'google' && name === 'confirmed'
        if (!isProven) {
          expect(user.email).toBeNull()
          expect(user.pendingEmail?.normalizedEmail).toBe(email)
        } else if (user.email !== null) expect(user.emailVerified).toBeUndefined()
        seen.push({
          status: first.answer.status,
          location: first.answer.headers.get('location')?.split('?')[0],
        })
        if (owner) {
          const before = owner.user
          const after = await readStored(before.id)
          expect([kind, after.passwordHash]).toEqual([kind, before.passwordHash])
          if (before.emailVerified === undefined) expect(after.email).toBe(email)
        }
      }
      for (const one of seen) expect(one).toEqual(seen[0])
    })

  it('does not show in the page or in the table calls of a newcomer who is asked', async () => {
    await google.change({ first_sign_in: 'ask' })
    const seen = []
    const warmUp = await google.signIn(newGoogleAccount())
    await openQuestion(warmUp.browser, warmUp.answer)
    for (const add of Object.values(kinds)) {
      const email = newAddress()
      await add(email)
      const { browser, answer } = await google.signIn(newGoogleAccount({ email }))
      const calls = callsOfLast()
      const { page } = await openQuestion(browser, answer)
      const text = page.text.replaceAll(email, 'ADDRESS').replaceAll(/(value|action|href)="[^"]*"/g, '')
      seen.push({ status: answer.status, calls, shown: callsOfLast(), page: page.status, text })
    }
    for (const one of seen) expect(one).toEqual(seen[0])
    expect(seen[0]).toMatchObject({ status: 303, page: 200 })
  })
})

describe('someone who was here before the owner of an address', () => {
  /* The five classes of "Pre-hijacked accounts", Sudhodanan and Paverd, USENIX Security 2022. */

  it('with a password and the address does not share the account of the owner (classic-federated merge)', async () => {
    const email = newAddress()
    const squatter = await addPerson(service, { email, emailVerified: false })
    const { user } = await google.signIn(newGoogleAccount({ email }))
    expect(user).not.toBe(squatter.user.id)
    expect((await readStored(user)).email).toBe(email)
    expect((await readStored(squatter.user.id)).email).toBeNull()
    const answer = await trySignIn(service, squatter)
    expect(answer.body.user.id).toBe(squatter.user.id)
  })

  it('with an open session sees nothing of the owner (unexpired session)', async () => {
    const email = newAddress()
    const squatter = await addSignedIn(service, { email, emailVerified: false })
    const { user } = await google.signIn(newGoogleAccount({ email }))
    const me = await service.client('GET', '/api/2/users/me', { bearer: squatter.bearer })
    expect([me.body.id, me.body.email]).toEqual([squatter.user.id, null])
    expect(user).not.toBe(squatter.user.id)
  })

  it('with another account at the provider finds only the own one (trojan identifier)', async () => {
    const email = newAddress()
    const trojan = newGoogleAccount({ email, email_verified: false })
    const attacker = await google.signIn(trojan)
    const owner = await google.signIn(newGoogleAccount({ email }))
    expect((await readStored(owner.user)).email).toBe(email)
    const again = await google.signIn(trojan)
    expect([again.user, again.user === owner.user]).toEqual([attacker.user, false])
    // The link of the attacker's account was mailed to the owner. It no longer gives the address away.
    const token = await readMailedToken(service, email, 'confirm').catch(() => undefined)
    if (token) {
      const confirmed = await service.client('POST', '/api/2/auth/confirm-email', {
        bearer: sessionOf(again.answer) ?? '',
        body: { token },
      })
      expect(confirmed.status).toBe(409)
    }
  })

  it('with a pending change to the address does not get it later (unexpired email change)', async () => {
    const email = newAddress()
    const squatter = await addSignedIn(service, { email: newAddress('squatter.example') })
    const asked = await service.client('POST', '/api/2/users/me/email', {
      bearer: squatter.bearer,
      body: { email },
    })
    expect(asked.status, asked.text).toBe(204)
    const token = await readMailedToken(service, email, 'confirm')
    const { user } = await google.signIn(newGoogleAccount({ email }))
    const confirmed = await service.client('POST', '/api/2/auth/confirm-email', {
      bearer: squatter.bearer,
      body: { token },
    })
    expect(confirmed.status).toBe(409)
    expect((await readStored(user)).email).toBe(email)
  })

  it('with a provider that verifies nothing gets no address and no account (non-verifying provider)', async () => {
    const email = newAddress('victim.example')
    const victim = await addPerson(service, { email })
    const attack = await careless.signIn(newGoogleAccount({ email, hd: 'victim.example' }))
    expect(attack.user).not.toBe(victim.user.id)
    expect((await readStored(attack.user)).email).toBeNull()
    // A password is for the owner of a confirmed address alone.
    await service.client('POST', '/api/2/auth/reset-password/request', { body: { username: email } })
    expect((await readStored(victim.user.id)).email).toBe(email)
  })
})

describe('an address', () => {
  it.each([
    [{ email: 'grace@gmail.com' }, true],
    [{ email: 'grace@team.example', hd: 'team.example' }, true],
    [{ email: 'grace@team.example', hd: 'TEAM.example' }, true],
    [{ email: 'grace@team.example' }, false],
    [{ email: 'grace@team.example', hd: 'other.example' }, false],
    [{ email: 'grace@sub.team.example', hd: 'team.example' }, false],
    [{ email: 'grace@team.example', hd: ['team.example'] }, false],
    [{ email: 'grace@gmail.com.example' }, false],
    [{ email: 'grace@gmail.com', email_verified: 1 }, false],
  ])('%o is confirmed by Google alone: %s', async (said, isConfirmed) => {
    const email = `${randomUUID()}-${said.email}`
    const user = await readStored((await google.signIn(newGoogleAccount({ ...said, email }))).user)
    expect([user.email, user.pendingEmail?.email]).toEqual(isConfirmed ? [email, undefined] : [null, email])
  })

  it('that waits is confirmed by the link in its mailbox', async () => {
    const email = newAddress('team.example')
    const { user, answer } = await careless.signIn(newGoogleAccount({ email }))
    const token = await readMailedToken(service, email, 'confirm')
    const confirmed = await service.client('POST', '/api/2/auth/confirm-email', {
      bearer: sessionOf(answer) ?? '',
      body: { token },
    })
    expect(confirmed.status, confirmed.text).toBe(204)
    expect((await readStored(user)).email).toBe(email)
  })
})

describe('an answer with a planted fault', () => {
  const now = () => Math.floor(Date.now() / 1000)
  it.each([
    ['wrong issuer', { iss: 'https://accounts.google.example' }],
    ['wrong audience', { aud: 'another client' }],
    ['several audiences, for another', { aud: ['latchkey', 'other'], azp: 'other' }],
    ['wrong nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['expired', { exp: now() - 3600, iat: now() - 7200 }],
    ['no expiry', { exp: undefined }],
    ['issued in the future', { iat: now() + 86_400, exp: now() + 90_000, nbf: now() + 86_400 }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a number as subject', { sub: 7 }],
    ['a list as subject', { sub: ['7'] }],
    ['a subject that is too long', { sub: '7'.repeat(256) }],
  ])('is refused: %s', async (_, claims) => {
    upstream.behave({ claims })
    const { answer, user } = await google.signIn(newGoogleAccount())
    expect([answer.status, user]).toEqual([401, undefined])
    expect(answer.text).toContain('Google')
  })
  it.each([
    ['another key', (claims: object) => signWith(upstream.otherKey, { ...claims })],
    ['an unknown key ID', (claims: object) => signWith(upstream.otherKey, { ...claims }, { kid: 'third' })],
    [
      'no signature',
      async (claims: object) =>
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`,
    ],
    [
      'a claim that is there twice',
      async (claims: object) => {
        const [header = '', , signature = ''] = (await signWith(upstream.key, { ...claims })).split('.')
        const twice = JSON.stringify(claims).replace('{', '{"sub":"victim",')
        return `${header}.${Buffer.from(twice).toString('base64url')}.${signature}`
      },
    ],
  ])('is refused: %s', async (_, sign) => {
    upstream.behave({ sign })
    const { answer, user } = await google.signIn(newGoogleAccount())
    expect([answer.status, user]).toEqual([401, undefined])
  })
})

describe('a public sign-in', () => {
  it('is one factor, whatever the provider says', async () => {
    const account = newGoogleAccount({ acr: 'mfa', amr: ['mfa', 'otp', 'hwk'] })
    const { answer, user } = await google.signIn(account)
    const { hash = '' } = parseCredential(sessionOf(answer) ?? '') ?? {}
    const { session } = await findSessionAndUser(table, user ?? 0, hash)
    expect(session?.authentication.methods).toEqual(['oidc'])
  })

  const connect = async (person: { readonly user: { readonly id: number } }, sub: string) => {
    const linked = await call('POST', `users/${person.user.id}/company-accounts`, {
      provider: google.id,
      name: sub,
    })
    expect(linked.status, linked.text).toBe(201)
  }

  it('asks for the code of the second factor, as often as it takes, and uses it up', async () => {
    const person = await addSignedIn(service)
    const { authenticator } = await enableSecondFactor(service, person)
    const account = newGoogleAccount()
    await connect(person, account.sub)
    const { browser, answer, user } = await google.signIn(account)
    expect(user).toBeUndefined()
    const question = await openQuestion(browser, answer)
    expect(question.page.text).toContain('one-time-code')
    const send = (code: string, by = browser) =>
      by.post(question.path, { ...readHiddenFields(question.page), answer: 'yes', otp: code }, 'same-origin')
    const stolen = await send(authenticator.code(1), new TestBrowser(service))
    expect(stolen.status).toBe(401)
    const wrong = await send('000000')
    expect([wrong.status, await readUser(service, wrong)]).toEqual([200, undefined])
    expect(wrong.text).toContain('aria-invalid')
    const otp = authenticator.code(1)
    const right = await send(otp)
    expect(await readUser(service, right)).toBe(person.user.id)
    expect(readNext(right)).toContain('/return?flow=')
    expect((await send(otp)).status).toBe(401)
    const second = await google.signIn(account)
    const again = await openQuestion(second.browser, second.answer)
    const replayed = await second.browser.post(
      again.path,
      { ...readHiddenFields(again.page), answer: 'yes', otp },
      'same-origin',
    )
    expect(await readUser(service, replayed)).toBeUndefined()
  })

  it('does not let an administrator in without a second factor', async () => {
    for (const permission of ['system:admin-access', 'users:manage'] as const) {
      const person = await addPerson(service, { permissions: [permission] })
      const account = newGoogleAccount()
      await connect(person, account.sub)
      const { answer, user } = await google.signIn(account)
      expect([answer.status, user]).toEqual([403, undefined])
      expect(answer.text).toContain('second proof')
    }
  })

  it('gives only a session for the set-up where the policy requires a second factor', async () => {
    await storeSignInPolicy(service, { second_factor_for_everybody: true })
    try {
      const { answer } = await google.signIn(newGoogleAccount())
      expect(answer.headers.get('location')).toBe(`${service.services.config.publicUrl}/account`)
      const bearer = sessionOf(answer) ?? ''
      expect((await service.client('GET', '/api/2/users/me/sessions', { bearer })).status).toBe(403)
    } finally {
      await storeSignInPolicy(service, firstSignInPolicy)
    }
  })

  it('is refused for a disabled account', async () => {
    const person = await addPerson(service)
    const account = newGoogleAccount()
    await connect(person, account.sub)
    const { id } = person.user
    expect((await call('PATCH', `users/${id}`, { is_enabled: false })).status).toBe(200)
    expect((await google.signIn(account)).user).toBeUndefined()
  })

  it('never enters a company that requires its own sign-in, by either address, also with an account of before', async () => {
    const company = closeAfterTests(await startUpstream())
    const domain = 'company-with-rules.example'
    const earlier = newGoogleAccount({ email: newAddress(domain), hd: domain })
    const before = await google.signIn(earlier)
    expect(before.user).toBeDefined()
    const moved = newGoogleAccount()
    const movedUser = (await google.signIn(moved)).user
    const created = await call('POST', 'auth/oidc-connections', {
      ...{ name: 'Company', issuer: company.issuer, client_id: 'id', client_secret: 'secret' },
      required_for_domains: true,
    })
    expect(created.status, created.text).toBe(201)
    const domains = `/api/2/auth/connections/${created.body.id}/domains`
    expect((await call('POST', domains, { domain })).status).toBe(201)
    expect((await call('POST', `${domains}/${domain}/vouch`)).status).toBe(200)

    const expectRefused = (answer: Answer) => {
      expect([answer.status, answer.text.includes('Company')]).toEqual([403, true])
    }
    expectRefused((await google.signIn(earlier)).answer)
    expectRefused((await google.signIn(newGoogleAccount({ email: newAddress(domain) }))).answer)
    expectRefused(
      (await careless.signIn(newGoogleAccount({ email: newAddress(domain), email_verified: false }))).answer,
    )
    await google.change({ first_sign_in: 'ask' })
    const asked = await google.signIn(newGoogleAccount({ email: newAddress(domain) }))
    expectRefused(asked.answer)
    // The account there now says that it belongs to the company, or the account here does.
    expectRefused((await google.signIn({ ...moved, email: newAddress(domain) })).answer)
    expect((await call('PATCH', `users/${movedUser}`, { email: newAddress(domain) })).status).toBe(200)
    expectRefused((await google.signIn(moved)).answer)
  })

  it('of one browser counts in no other, and only once', async () => {
    const account = newGoogleAccount()
    const browser = new TestBrowser(service)
    const started = await browser.get(`${google.path}/start`, 'same-origin')
    const url = upstream.authorize(started.headers.get('location') ?? '', account)
    const victim = new TestBrowser(service)
    expect((await victim.get(url.pathname + url.search, 'cross-site')).status).toBe(401)
    expect((await browser.get(url.pathname + url.search, 'cross-site')).status).toBe(303)
    expect((await browser.get(url.pathname + url.search, 'cross-site')).status).toBe(401)
  })

  it('creates one account of many answers at once', async () => {
    const account = newGoogleAccount()
    const signIns = await Promise.all(Array.from({ length: 8 }, () => google.signIn(account)))
    expect(new Set(signIns.map(({ user }) => user)).size).toBe(1)
  })
})

describe('the question at the first sign-in', () => {
  beforeEach(() => google.change({ first_sign_in: 'ask' }))

  it('creates an account once, in the browser that asked, and from its own page', async () => {
    const account = newGoogleAccount()
    const { browser, answer, user } = await google.signIn(account)
    expect(user).toBeUndefined()
    const question = await openQuestion(browser, answer)
    expect((await decide(new TestBrowser(service), question, 'yes')).status).toBe(401)
    expect((await decide(browser, question, 'yes', 'cross-site')).status).toBe(403)
    const copies = [browser, browser.clone(), browser.clone()]
    const done = await Promise.all(copies.map((one) => decide(one, question, 'yes')))
    const users = (await Promise.all(done.map((one) => readUser(service, one)))).filter(Boolean)
    expect(users).toHaveLength(1)
    expect((await google.signIn(account)).user).toBe(users[0])
  })

  it('creates nothing for those who do not want it, and nothing where nobody may', async () => {
    const account = newGoogleAccount()
    const asked = await google.signIn(account)
    const question = await openQuestion(asked.browser, asked.answer)
    expect(await readUser(service, await decide(asked.browser, question, 'no'))).toBeUndefined()
    expect((await decide(asked.browser, question, 'yes')).status).toBe(401)
    await google.change({ first_sign_in: 'refuse' })
    const refused = await google.signIn(account)
    expect([refused.answer.status, refused.user]).toEqual([403, undefined])
  })
})

describe('the settings of a public connection', () => {
  const create = (fields: object) =>
    call('POST', 'auth/oidc-connections', {
      ...{ name: 'Public', issuer: 'https://idp.example.com', client_id: 'id', client_secret: 'secret' },
      ...{ public_provider: 'oidc', ...fields },
    })
  const fieldsOf = ({ status, body }: Answer): string[] => {
    expect(status).toBe(400)
    return body.errors.map(({ field }: { readonly field: string }) => field)
  }

  it('refuse what only a company decides, each by its name', async () => {
    for (const [field, value] of Object.entries({
      hosted_domain: 'example.com',
      auto_create_users: true,
      auto_create_groups: true,
      auto_sync_groups: true,
      allowed_groups: ['Editors'],
      attribute_mapping: { email_from: 'upn' },
      required_authn_contexts: ['mfa'],
      multi_factor_authn_contexts: ['mfa'],
      required_for_domains: true,
      exempt_users: [admin.user.id],
      issuer: 'https://accounts.google.com',
      first_sign_in: 'anybody',
      public_provider: '__proto__',
    }))
      expect(fieldsOf(await create({ [field]: value }))).toEqual([field])
    expect(fieldsOf(await create({ public_provider: 'google' }))).toEqual(['issuer'])
    expect(fieldsOf(await create({ public_provider: null, first_sign_in: 'create' }))).toEqual([
      'first_sign_in',
    ])
    expect(fieldsOf(await google.change({ public_provider: null }))).toContain('public_provider')
    expect(fieldsOf(await google.change({ issuer: other.issuer, client_secret: 'x' }))).toEqual(['issuer'])
    const domain = await call('POST', `auth/connections/${google.id}/domains`, { domain: 'gmail.com' })
    expect(fieldsOf(domain)).toEqual(['domain'])
  })

  it('stay one for each provider, and people keep their accounts when it is removed and added again', async () => {
    const upstreamOfMany = closeAfterTests(await startUpstream())
    const fields = { name: 'Again', public_provider: 'oidc', first_sign_in: 'create' }
    const first = await addPublicConnection(service, admin.bearer, upstreamOfMany, fields)
    const account = newGoogleAccount()
    const { user } = await first.signIn(account)
    await expect(addPublicConnection(service, admin.bearer, upstreamOfMany, fields)).rejects.toThrow(
      'a connection to this public provider',
    )
    expect((await call('DELETE', first.path)).status).toBe(204)
    const races = await Promise.allSettled(
      Array.from({ length: 4 }, () => addPublicConnection(service, admin.bearer, upstreamOfMany, fields)),
    )
    const added = races.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(added.map(({ id }) => id)).toEqual([first.id])
    expect((await added[0]?.signIn(account))?.user).toBe(user)
  })
})
