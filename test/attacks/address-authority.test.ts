import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { getOpenInvitation } from '../../lib/accounts/users/invitation-state.ts'
import { findCompanyAccounts } from '../../lib/features/connections/accounts.records.ts'
import { describeApple, newAppleAccount, postAnswer, startApple } from '../support/apple-upstream.ts'
import { TestBrowser } from '../support/browser.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { makeIdp } from '../support/idp.ts'
import { storeInvitation } from '../support/invitations.ts'
import {
  consumerTenant,
  issuerAt,
  newMicrosoftAccount,
  startMicrosoft,
} from '../support/microsoft-upstream.ts'
import { startUpstream } from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, callAs, trySignIn } from '../support/people.ts'
import { addPublicConnection, newGoogleAccount, readUser } from '../support/public-upstream.ts'
import { addProvider, sessionOf, startSignIn, userOfSession, vouchForDomains } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* Somebody has an account at a provider with an address whose mail goes to another person today: a former employee, or the first owner. */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'samlStarts=100000/60,signUpsPerAddress=100000/60,refusedAnswers=100000/60',
})
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const [google, apple, microsoft] = await Promise.all([startUpstream(), startApple(), startMicrosoft()])
for (const upstream of [google, apple, microsoft]) closeAfterTests(upstream)
const add = async (upstream: typeof google, fields: object) =>
  addPublicConnection(service, admin.bearer, upstream, { first_sign_in: 'create', ...fields })
const connections = {
  google: await add(google, {}),
  microsoft: await add(microsoft, {
    ...{ name: 'Microsoft', public_provider: 'microsoft', issuer: issuerAt(microsoft, 'common') },
  }),
  apple: await add(apple, describeApple(apple)),
}

type Claims = Readonly<Record<string, unknown>>
type Provider = keyof typeof connections

const build = (provider: Provider, claims: Claims): Claims => {
  if (provider === 'google') return newGoogleAccount(claims)
  return provider === 'apple' ? newAppleAccount(claims) : newMicrosoftAccount(microsoft, claims)
}
/** Signs in with an account. Returns the user of the session. */
const signIn = async (provider: Provider, account: Claims) => {
  const connection = connections[provider]
  if (provider !== 'apple') {
    const { answer, user } = await connection.signIn(account)
    return { answer, user }
  }
  const browser = new TestBrowser(service)
  const started = await browser.get(`${connection.path}/start`, 'same-origin')
  const answer = await postAnswer(browser, apple.authorize(started.headers.get('location') ?? '', account))
  return { answer, user: await readUser(service, answer) }
}
const readStored = async (id: number | undefined) => {
  const user = await findUser(table, id ?? 0)
  if (!user) throw new Error(`there is no user ${id}`)
  return user
}
const newAddress = (domain: string) => `${randomUUID()}@${domain}`
const idp = await makeIdp()
const company = await addProvider(service, idp, { auto_create_users: true })
const domain = `${randomUUID()}.example`
await vouchForDomains(service, company, [domain])
/** Signs in through the company. Returns the user of the session. */
const signInByCompany = async (email: string, nameId = randomUUID()) => {
  const { browser, target } = await startSignIn(service, company)
  const { form } = await idp.answer(target, { nameId, attributes: { email: [email] } })
  const answer = await browser.post(target.acsUrl, form)
  const session = sessionOf(answer)
  return { answer, user: session === undefined ? undefined : await userOfSession(service, session) }
}

const consumer = { tid: consumerTenant }
const cases: readonly (readonly [Provider, string, Claims, boolean])[] = [
  ['google', 'gmail.com', {}, true],
  ['google', 'gmail.com', { email_verified: false }, false],
  ['google', 'gmail.com.example', {}, false],
  ['google', 'googlemail.com', {}, false],
  ['google', 'team.example', {}, false],
  ['google', 'team.example', { hd: 'team.example' }, true],
  ['google', 'team.example', { hd: 'other.example' }, false],
  ['google', 'icloud.com', {}, false],
  ['apple', 'icloud.com', {}, true],
  ['apple', 'me.com', {}, true],
  ['apple', 'mac.com', {}, true],
  ['apple', 'privaterelay.appleid.com', {}, true],
  ['apple', 'icloud.com', { email_verified: false }, false],
  ['apple', 'mail.icloud.com', {}, false],
  ['apple', 'team.example', {}, false],
  ['apple', 'gmail.com', {}, false],
  ['apple', 'team.example', { hd: 'team.example' }, false],
  ['microsoft', 'outlook.com', consumer, true],
  ['microsoft', 'hotmail.co.uk', consumer, true],
  ['microsoft', 'live.fr', consumer, true],
  ['microsoft', 'msn.com', consumer, true],
  ['microsoft', 'outlook.com', { ...consumer, xms_edov: undefined }, false],
  ['microsoft', 'outlook.example', consumer, false],
  ['microsoft', 'team.example', consumer, false],
  ['microsoft', 'gmail.com', consumer, false],
  ['microsoft', 'team.example', {}, true],
  ['microsoft', 'team.example', { acct: '0' }, true],
  ['microsoft', 'team.example', { acct: 1 }, false],
  ['microsoft', 'team.example', { acct: undefined }, false],
  ['microsoft', 'team.example', { acct: null }, false],
  ['microsoft', 'team.example', { acct: [0] }, false],
  ['microsoft', 'team.example', { idp: 'live.com' }, false],
  ['microsoft', 'team.example', { idp: null }, false],
  ['microsoft', 'team.example', { idp: 'https://sts.windows.net/x/' }, false],
  ['microsoft', 'team.example', { xms_edov: false }, false],
  ['microsoft', 'outlook.com', {}, false],
  ['microsoft', 'gmail.com', {}, false],
]

describe('the word of a public provider', () => {
  it.each(cases)(
    '%s about an address in %s with %j verifies it: %s',
    async (provider, at, claims, counts) => {
      const email = newAddress(at)
      const user = await readStored((await signIn(provider, build(provider, { ...claims, email }))).user)
      expect([user.email, user.emailVerified, user.verifiedBy, user.pendingEmail?.email]).toEqual(
        counts ? [email, undefined, 'provider', undefined] : [null, undefined, undefined, email],
      )
    },
  )

  it('counts for the directory that it names as issuer', async () => {
    const tid = randomUUID()
    const account = newMicrosoftAccount(microsoft, { tid, idp: issuerAt(microsoft, tid) })
    expect((await readStored((await signIn('microsoft', account)).user)).verifiedBy).toBe('provider')
  })

  it('takes no invitation of a successor without its link', async () => {
    for (const { change } of Object.values(connections))
      expect((await change({ first_sign_in: 'invited' })).status).toBe(200)
    const stale: readonly (readonly [Provider, Claims])[] = [
      ['apple', {}],
      ['google', {}],
      ['microsoft', consumer],
      ['microsoft', { acct: 1 }],
      ['microsoft', { acct: undefined }],
    ]
    for (const [provider, claims] of stale) {
      const email = newAddress('successor.example')
      const { user } = await addPerson(service, { email, emailVerified: false })
      await storeInvitation(service, user.id, { invitedBy: admin.user.id })
      const refused = await signIn(provider, build(provider, { ...claims, email }))
      expect([provider, refused.answer.status, refused.user]).toEqual([provider, 403, undefined])
      expect(getOpenInvitation(await readStored(user.id))).toBeDefined()
    }
    for (const { change } of Object.values(connections))
      expect((await change({ first_sign_in: 'create' })).status).toBe(200)
  })
})

describe('a company whose person has an address that a stranger has here', () => {
  /** The stranger is a customer of Google Workspace with the domain, which the company has today. */
  const addStranger = async (email = newAddress(domain)) => {
    const account = newGoogleAccount({ email, hd: domain })
    const { user } = await signIn('google', account)
    expect(await readStored(user)).toMatchObject({ email, verifiedBy: 'provider' })
    return { email, account, user: user ?? 0 }
  }

  it('gets the address, and not the account', async () => {
    const { email, account, user } = await addStranger()
    const nameId = randomUUID()
    const own = await signInByCompany(email, nameId)
    expect(own.answer.status).toBe(303)
    expect(own.user).not.toBe(user)
    expect(await readStored(own.user)).toMatchObject({ email, verifiedBy: 'company' })
    const left = await readStored(user)
    expect([left.email, left.normalizedEmail, left.emailVerified, left.verifiedBy]).toEqual([
      null,
      null,
      undefined,
      undefined,
    ])
    // Both go on as they are.
    expect((await signIn('google', account)).user).toBe(user)
    expect((await signInByCompany(email, nameId)).user).toBe(own.user)
    expect((await readStored(user)).email).toBeNull()
    const { text } = await service.mailbox.mailTo(email, ({ subject }) =>
      subject.includes('moved to another'),
    )
    // Nobody who reads the mailbox gets a way to undo it, or into the account.
    expect(text).not.toContain('token=')
  })

  it('of one with a stale Apple ID never meets it', async () => {
    const email = newAddress(domain)
    const stranger = await signIn('apple', newAppleAccount({ email }))
    const own = await signInByCompany(email)
    expect(own.user).not.toBe(stranger.user)
    expect((await readStored(own.user)).email).toBe(email)
    expect((await readStored(stranger.user)).email).toBeNull()
  })

  it('shares it with nobody, if both sign in for the first time at once', async () => {
    for (let round = 0; round < 5; round++) {
      const email = newAddress(domain)
      const account = newGoogleAccount({ email, hd: domain })
      const nameId = randomUUID()
      await Promise.all([signIn('google', account), signInByCompany(email, nameId)])
      const [stranger, own] = [await signIn('google', account), await signInByCompany(email, nameId)]
      expect(own.user).not.toBe(stranger.user)
      const holders = [await readStored(stranger.user), await readStored(own.user)]
      expect(holders.filter((one) => one.email === email)).toHaveLength(1)
      expect(holders[0]?.email).toBeNull()
    }
  })

  it('takes no address from an administrator, or a disabled account', async () => {
    for (const fields of [{ permissions: ['users:manage'] }, { is_enabled: false }]) {
      const { email, user } = await addStranger()
      expect((await call('PATCH', `users/${user}`, fields)).status).toBe(200)
      const refused = await signInByCompany(email)
      expect([refused.answer.status, refused.user]).toEqual([403, undefined])
      expect((await readStored(user)).email).toBe(email)
    }
  })
})

describe('a connection of the whole service that takes an account by its address', () => {
  it('ends every other way in', async () => {
    const email = newAddress(domain)
    const person = await addSignedIn(service, { email, verifiedBy: 'link' })
    const own = callAs(service, person)
    const token = await own('POST', 'api-tokens', { name: 'CI', scopes: ['profile:view'] })
    expect(token.status, token.text).toBe(201)
    const { user } = await signInByCompany(email)
    expect(user).toBe(person.user.id)
    expect((await own('GET', 'users/me')).status).toBe(401)
    expect((await trySignIn(service, person)).status).toBe(401)
    const stored = await readStored(user)
    expect([stored.passwordHash, stored.totp, stored.verifiedBy]).toEqual([null, null, 'company'])
    expect(await findCompanyAccounts(table, stored)).toHaveLength(1)
    const { body } = await call('GET', `users/${user}`)
    expect(body.verified_by).toBe('company')
  })

  it('ends an account at a public provider, and keeps its own', async () => {
    const email = newAddress(domain)
    const account = newGoogleAccount()
    const { user = 0 } = await signIn('google', account)
    expect((await call('PATCH', `users/${user}`, { email })).status).toBe(200)
    const nameId = randomUUID()
    expect((await signInByCompany(email, nameId)).user).toBe(user)
    expect((await signIn('google', account)).user).not.toBe(user)
    expect((await signInByCompany(email, nameId)).user).toBe(user)
  })
})

it('shows administrators who vouched for an address, and nobody else', async () => {
  const email = newAddress('icloud.com')
  const { user } = await signIn('apple', newAppleAccount({ email }))
  expect((await call('GET', `users/${user}`)).body.verified_by).toBe('provider')
  const person = await addSignedIn(service, { email: newAddress('example.com') })
  const me = await callAs(service, person)('GET', 'users/me')
  expect(me.body.verified_by).toBeUndefined()
  const created = await call('POST', 'users', {
    ...{ username: `u-${randomUUID()}`, email: newAddress('example.com'), permissions: [], groups: [] },
  })
  expect(created.body.verified_by).toBe('administrator')
  const changed = await call('PATCH', `users/${created.body.id}`, { email: null })
  expect([changed.status, changed.body.verified_by]).toEqual([200, undefined])
})
