import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { findSessionAndUser } from '../../lib/accounts/sessions/find-sessions.records.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { TestBrowser } from '../support/browser.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import {
  consumerTenant,
  issuerAt,
  newMicrosoftAccount,
  startMicrosoft,
  template,
} from '../support/microsoft-upstream.ts'
import { addConnection, openCallback, signInByUpstream, signWith } from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import {
  addPublicConnection,
  newGoogleAccount,
  type PublicConnection,
  readUser,
} from '../support/public-upstream.ts'
import { sessionOf } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* Microsoft for everybody: one discovery document speaks for all tenants, and anyone can be the administrator of one. */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'samlStarts=100000/60,signUpsPerAddress=100000/60,emailConfirmationsPerRecipient=500/3600',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const upstream = closeAfterTests(await startMicrosoft())
const fields = { name: 'Microsoft', public_provider: 'microsoft', first_sign_in: 'create' }
const connectTo = (tenant: string): Promise<PublicConnection> =>
  addPublicConnection(service, admin.bearer, upstream, { ...fields, issuer: issuerAt(upstream, tenant) })
const remove = async ({ path }: PublicConnection) => {
  expect((await call('DELETE', path)).status).toBe(204)
}
const common = await connectTo('common')
beforeEach(() => upstream.behave({}))

const newAccount = (claims: Readonly<Record<string, unknown>> = {}) => newMicrosoftAccount(upstream, claims)
const readStored = async (id: number | undefined) => {
  const user = await findUser(service.services.table, id ?? 0)
  if (!user) throw new Error(`there is no user ${id}`)
  return user
}
const seconds = () => Math.floor(Date.now() / 1000)
const expectRefused = async (claims: Readonly<Record<string, unknown>>, connection = common) => {
  const { answer, user } = await connection.signIn(claims)
  expect([answer.status, user]).toEqual([401, undefined])
  expect(answer.text).toContain('Microsoft')
}

describe('an ID token of Microsoft', () => {
  const tenant = randomUUID()
  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ['the issuer of another tenant than `tid`', { iss: issuerAt(upstream, randomUUID()) }],
    ['the template as issuer', { iss: issuerAt(upstream, template) }],
    ['the address of the document as issuer', { iss: upstream.issuer }],
    ['the template as issuer and as tenant', { iss: issuerAt(upstream, template), tid: template }],
    ['an issuer of version 1', { iss: `https://sts.windows.net/${tenant}/`, tid: tenant }],
    ['the issuer of another host', { iss: `https://login.example/${tenant}/v2.0`, tid: tenant }],
    ['no issuer', { iss: undefined }],
    ['no tenant', { tid: undefined, iss: issuerAt(upstream, 'undefined') }],
    ['no tenant, and the issuer of one', { tid: undefined }],
    ['a tenant that is null', { tid: null, iss: issuerAt(upstream, 'null') }],
    ['a domain as tenant', { tid: 'contoso.example' }],
    ['a tenant in capitals', { tid: tenant.toUpperCase() }],
    ['a tenant with braces', { tid: `{${tenant}}` }],
    ['a tenant with a slash', { tid: `${tenant}/x` }],
    ['a tenant with a line end', { tid: `${tenant}\n` }],
    ['`__proto__` as tenant', { tid: '__proto__' }],
    ['`constructor` as tenant', { tid: 'constructor' }],
    ['an empty tenant', { tid: '' }],
    ['a list of tenants', { tid: [tenant], iss: issuerAt(upstream, tenant) }],
    ['a pattern of a replacement as tenant', { tid: '$&', iss: issuerAt(upstream, template) }],
    ['no object', { oid: undefined }],
    ['an object that is no GUID', { oid: 'grace' }],
    ['an object in capitals', { oid: randomUUID().toUpperCase() }],
    ['an object with a slash', { oid: `${randomUUID()}/x` }],
    ['a number as object', { oid: 7 }],
    ['a list of objects', { oid: [randomUUID()] }],
    ['no subject', { sub: undefined }],
    ['wrong audience', { aud: 'another client' }],
    ['several audiences, for another', { aud: ['latchkey', 'other'], azp: 'other' }],
    ['wrong nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['expired', { exp: seconds() - 3600, iat: seconds() - 7200 }],
    ['not valid yet', { nbf: seconds() + 86_400 }],
  ])('is refused: %s', async (_, claims) => {
    await expectRefused(newAccount({ tid: tenant, ...claims }))
  })

  it('is refused if it is signed with a key of another tenant, or of nobody', async () => {
    const own = (tid: string) => issuerAt(upstream, tid)
    const { jwk } = upstream.key
    const other = randomUUID()
    for (const issuer of [
      own(other),
      own(consumerTenant),
      own('common'),
      `https://login.example/${template}/v2.0`,
      '',
      null,
      7,
      {},
    ]) {
      upstream.behave({ keys: [{ ...jwk, issuer } as typeof jwk] })
      await expectRefused(newAccount({ tid: tenant }))
    }
    upstream.behave({ sign: (claims) => signWith(upstream.otherKey, claims) })
    await expectRefused(newAccount())
    // Without its ID, the key of the other tenant does not count either.
    upstream.behave({
      keys: [{ ...jwk, issuer: own(other) } as typeof jwk],
      sign: (claims) => signWith(upstream.key, claims, {}),
    })
    await expectRefused(newAccount({ tid: tenant }))
  })

  it('is accepted with a key of its tenant, of all tenants, or without an issuer', async () => {
    const { jwk } = upstream.key
    for (const issuer of [issuerAt(upstream, tenant), issuerAt(upstream, template), undefined]) {
      // A key of another tenant with the same ID does not stand in its way.
      const foreign = {
        ...upstream.otherKey.jwk,
        kid: upstream.key.kid,
        issuer: issuerAt(upstream, randomUUID()),
      }
      const key = issuer === undefined ? jwk : { ...jwk, issuer }
      upstream.behave({ keys: [foreign, key] as (typeof jwk)[] })
      expect((await common.signIn(newAccount({ tid: tenant }))).user).toBeDefined()
    }
  })

  it('counts with the issuer of its answer (RFC 9207) if there is one', async () => {
    const signIn = async (iss: string) => {
      const browser = new TestBrowser(service)
      const started = await browser.get(`${common.path}/start`, 'same-origin')
      const account = newAccount({ tid: tenant })
      const answer = upstream.authorize(started.headers.get('location') ?? '', account)
      answer.searchParams.set('iss', iss)
      return openCallback(browser, answer)
    }
    expect(await readUser(service, await signIn(issuerAt(upstream, tenant)))).toBeDefined()
    for (const iss of [
      issuerAt(upstream, randomUUID()),
      issuerAt(upstream, template),
      issuerAt(upstream, 'common'),
      'https://login.example',
      '',
    ])
      expect([iss, (await signIn(iss)).status]).toEqual([iss, 401])
  })
})

describe('an account at Microsoft', () => {
  it('is the object of its tenant, whatever its subject, address and name are', async () => {
    const account = newAccount()
    const { user } = await common.signIn(account)
    const renamed = {
      ...account,
      sub: 'another',
      email: `${randomUUID()}@outlook.com`,
      preferred_username: 'other',
    }
    expect((await common.signIn(renamed)).user).toBe(user)
    const sameSubject = newAccount({ sub: account.sub, email: account.email, tid: account.tid })
    const others = [
      sameSubject,
      // The administrator of a tenant chooses what its objects are called, but not its own ID.
      newAccount({ oid: account.oid, sub: account.sub, email: account.email }),
      newAccount({ tid: account.oid, oid: account.tid, sub: account.sub, email: account.email }),
    ]
    for (const other of others) {
      const found = await common.signIn(other)
      expect(found.user).toBeDefined()
      expect(found.user).not.toBe(user)
    }
  })

  it('is no second factor, whatever its token says', async () => {
    const account = newAccount({ acr: 'possessionorinherence', amr: ['mfa', 'pwd', 'fido'], acrs: ['c1'] })
    const { answer, user } = await common.signIn(account)
    const { hash = '' } = parseCredential(sessionOf(answer) ?? '') ?? {}
    const { session } = await findSessionAndUser(service.services.table, user ?? 0, hash)
    expect(session?.authentication.methods).toEqual(['oidc'])
  })

  it('is asked for without anything that Microsoft does not know', async () => {
    const started = await new TestBrowser(service).get(`${common.path}/start?force_authn=true`, 'same-origin')
    const { searchParams } = new URL(started.headers.get('location') ?? '')
    expect(Object.fromEntries(searchParams)).toMatchObject({
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    })
    expect(searchParams.has('max_age')).toBe(false)
  })

  it('has a confirmed address only if Microsoft says that its domain is', async () => {
    const seen: unknown[] = []
    const cases: readonly (readonly [unknown, boolean])[] = [
      [true, true],
      [1, true],
      ['1', true],
      ['true', true],
      [false, false],
      [undefined, false],
      [null, false],
      [0, false],
      ['0', false],
      ['false', false],
      ['True', false],
      ['', false],
      [2, false],
      [[true], false],
      [{}, false],
    ]
    for (const [xms_edov, isConfirmed] of cases) {
      const account = newAccount({ xms_edov, email_verified: true })
      const user = await readStored((await common.signIn(account)).user)
      const [email, waiting] = isConfirmed ? [account.email, undefined] : [null, account.email]
      expect([xms_edov, user.email, user.pendingEmail?.email]).toEqual([xms_edov, email, waiting])
      seen.push(user.email)
    }
    expect(seen.filter(Boolean)).toHaveLength(4)
  })

  it('never gets the account of the victim by an address that its tenant made up (nOAuth)', async () => {
    const victim = await addPerson(service, { email: `${randomUUID()}@victim.example` })
    const email = victim.user.email ?? ''
    for (const xms_edov of [undefined, false, true]) {
      const attack = await common.signIn(newAccount({ email, xms_edov, email_verified: true }))
      expect(attack.user).toBeDefined()
      expect(attack.user).not.toBe(victim.user.id)
      expect((await readStored(attack.user)).email).toBeNull()
      expect((await readStored(victim.user.id)).email).toBe(email)
    }
  })

  it('has no address from userinfo, which is not signed', async () => {
    const email = `${randomUUID()}@outlook.com`
    upstream.behave({ userinfo: { email, xms_edov: true } })
    const { user } = await common.signIn(newAccount({ email: undefined, preferred_username: undefined }))
    const stored = await readStored(user)
    expect([stored.email, stored.pendingEmail]).toEqual([null, undefined])
    expect(upstream.requests.filter(({ path }) => path === '/userinfo')).toEqual([])
  })

  it('with an unconfirmed address gets it by the link in its mailbox', async () => {
    const email = `${randomUUID()}@team.example`
    const { user, answer } = await common.signIn(newAccount({ email, xms_edov: false }))
    const token = await readMailedToken(service, email, 'confirm')
    const confirm = (bearer: string) =>
      service.client('POST', '/api/2/auth/confirm-email', { bearer, body: { token } })
    expect((await confirm('')).body.reason).toBe('sign_in_required')
    expect((await confirm(sessionOf(answer) ?? '')).status).toBe(204)
    expect((await readStored(user)).email).toBe(email)
  })

  it('of a company that requires its own sign-in never enters, by its address or by its name', async () => {
    const domain = 'company-at-microsoft.example'
    const earlier = newAccount({ email: undefined, preferred_username: `ada@${domain}` })
    expect((await common.signIn(earlier)).user).toBeDefined()
    const created = await call('POST', 'auth/oidc-connections', {
      ...{ name: 'Company', issuer: 'https://idp.company.example', client_id: 'id', client_secret: 'secret' },
      required_for_domains: true,
    })
    const domains = `/api/2/auth/connections/${created.body.id}/domains`
    expect((await call('POST', domains, { domain })).status).toBe(201)
    expect((await call('POST', `${domains}/${domain}/vouch`)).status).toBe(200)
    const email = `grace@${domain}`
    for (const account of [
      newAccount({ email }),
      newAccount({ email, xms_edov: false }),
      newAccount({ preferred_username: email }),
      newAccount({ preferred_username: email, email: undefined }),
      earlier,
    ]) {
      const { answer } = await common.signIn(account)
      expect([answer.status, answer.text.includes('Company')]).toEqual([403, true])
    }
  })
})

describe('a discovery document of Microsoft', () => {
  it('with the template is refused for any other connection', async () => {
    // Also once the service has read it for Microsoft.
    expect((await common.signIn(newAccount())).user).toBeDefined()
    const tenant = randomUUID()
    for (const issuer of [upstream.issuer, issuerAt(upstream, tenant)]) {
      upstream.behave({ discovery: { issuer: issuerAt(upstream, template) } })
      const plain = await addConnection(service, admin.bearer, issuer, { auto_create_users: true })
      expect((await plain.start()).answer.status).toBe(502)
      const open = { name: 'Open', public_provider: 'oidc', first_sign_in: 'create', issuer }
      const everybody = await addPublicConnection(service, admin.bearer, upstream, open)
      const started = await new TestBrowser(service).get(`${everybody.path}/start`, 'same-origin')
      expect(started.status).toBe(502)
    }
  })

  it('does not loosen the issuer of other connections', async () => {
    upstream.behave({ discovery: { issuer: upstream.issuer } })
    const open = await addConnection(
      service,
      admin.bearer,
      `${new URL(upstream.issuer).origin}/organizations/v2.0`,
      {
        auto_create_users: true,
      },
    )
    expect((await open.start()).answer.status).toBe(502)
    const tid = randomUUID()
    const account = newGoogleAccount({ tid, oid: randomUUID() })
    const exact = issuerAt(upstream, 'organizations')
    upstream.behave({ discovery: { issuer: exact } })
    const plain = await addConnection(service, admin.bearer, exact, {
      auto_create_users: true,
      name: 'Exact',
    })
    const { answer } = await signInByUpstream(plain, upstream, {
      ...account,
      iss: issuerAt(upstream, tid),
    })
    expect(answer.status).toBe(401)
  })
})

describe('the connection to Microsoft', () => {
  it('takes the issuers of Microsoft alone, and needs the scope of its identities', async () => {
    const create = async (body: object) => {
      const answer = await call('POST', 'auth/oidc-connections', {
        ...{
          ...fields,
          client_id: 'id',
          client_secret: 'secret',
          issuer: 'https://login.microsoftonline.com/common/v2.0',
        },
        ...body,
      })
      expect(answer.status, answer.text).toBe(400)
      return answer.body.errors.map(({ field }: { readonly field: string }) => field)
    }
    for (const issuer of [
      'https://login.microsoftonline.com/{tenantid}/v2.0',
      `https://login.microsoftonline.com/${randomUUID()}/v2.0`,
      `https://login.microsoftonline.com/${consumerTenant}/v2.0`,
      'https://login.microsoftonline.com/common/v2.0/',
      'https://login.microsoftonline.com/common',
      'https://login.microsoftonline.com/COMMON/v2.0',
      'https://login.microsoftonline.com.example/common/v2.0',
      'https://login.microsoftonline.us/common/v2.0',
      'https://accounts.google.com',
      'http://127.0.0.1:1/anything/v2.0',
      'http://127.0.0.1:x/common/v2.0',
    ])
      expect([issuer, [...new Set(await create({ issuer }))]]).toEqual([issuer, ['issuer']])
    expect(await create({ scopes: ['openid', 'email'] })).toEqual(['scopes'])
    expect(await create({ hosted_domain: 'example.com' })).toEqual(['hosted_domain'])
    expect(await create({ public_provider: 'Microsoft' })).toEqual(['public_provider'])
    for (const tenant of ['common', 'organizations', 'consumers']) {
      const issuer = `https://login.microsoftonline.com/${tenant}/v2.0`
      expect([...new Set(await create({ public_provider: 'oidc', issuer }))]).toEqual(['issuer'])
      expect([...new Set(await create({ public_provider: null, first_sign_in: null, issuer }))]).toEqual([
        'issuer',
      ])
    }
    const path = common.path
    const moved = await call('PATCH', path, { issuer: issuerAt(upstream, 'consumers'), client_secret: 'x' })
    expect([moved.status, moved.body.errors[0].field]).toEqual([400, 'issuer'])
  })

  it('keeps the accounts when it is removed and added again, also for fewer people', async () => {
    const [work, personal] = [newAccount(), newAccount({ tid: consumerTenant })]
    const users = [(await common.signIn(work)).user, (await common.signIn(personal)).user]
    expect(new Set(users).size).toBe(2)
    await expect(connectTo('organizations')).rejects.toThrow('a connection to this public provider')
    await remove(common)

    const organizations = await connectTo('organizations')
    expect(organizations.id).toBe(common.id)
    expect((await organizations.signIn(work)).user).toBe(users[0])
    await expectRefused(personal, organizations)
    await expectRefused(newAccount({ tid: consumerTenant }), organizations)
    await remove(organizations)

    const consumers = await connectTo('consumers')
    expect((await consumers.signIn(personal)).user).toBe(users[1])
    await expectRefused(work, consumers)
    await expectRefused(newAccount(), consumers)
    await remove(consumers)
    const again = await connectTo('common')
    expect((await again.signIn(work)).user).toBe(users[0])
  })
})
