import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { TestBrowser } from '../support/browser.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import {
  type Behavior,
  clientId,
  clientSecret,
  openCallback,
  startUpstream,
} from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { addPublicConnection } from '../support/public-upstream.ts'
import { sessionOf } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* People with an account at GitLab, whose row a test adds, and those who attack them. */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'samlStarts=100000/60,refusedAnswers=100000/60',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const upstream = closeAfterTests(await startUpstream())
const fields = { name: 'GitLab', public_provider: 'gitlab', first_sign_in: 'create' }
const gitlab = await addPublicConnection(service, admin.bearer, upstream, fields)

const newAccount = (claims: Readonly<Record<string, unknown>> = {}) => ({
  sub: String(Math.floor(Math.random() * 1e9) + 1),
  email: `${randomUUID()}@example.com`,
  email_verified: true,
  name: 'Barbara Liskov',
  ...claims,
})
const readStored = async (id: number | undefined) => {
  const user = await findUser(service.services.table, id ?? 0)
  if (!user) throw new Error(`there is no user ${id}`)
  return user
}

describe('an account at GitLab', () => {
  it('signs its person in, and a link confirms the address', async () => {
    const account = newAccount()
    const { answer, user } = await gitlab.signIn(account)
    expect([answer.status, typeof user]).toEqual([303, 'number'])
    expect(await readStored(user)).toMatchObject({ email: null, full_name: 'Barbara Liskov' })
    const token = await readMailedToken(service, account.email, 'confirm')
    const bearer = sessionOf(answer) ?? ''
    const confirmed = await service.client('POST', '/api/2/auth/confirm-email', { bearer, body: { token } })
    expect(confirmed.status, confirmed.text).toBe(204)
    expect((await readStored(user)).email).toBe(account.email)
    expect((await gitlab.signIn(account)).user).toBe(user)
  })

  it.each(['gmail.com', 'icloud.com', 'outlook.com', 'example.com'])(
    'proves no address at %s, whatever its claims say',
    async (domain) => {
      const email = `${randomUUID()}@${domain}`
      const owner = await addPerson(service, { email })
      const { user } = await gitlab.signIn(
        newAccount({ email, hd: domain, xms_edov: true, acct: 0, tid: 'any' }),
      )
      expect(user).not.toBe(owner.user.id)
      const stored = await readStored(user)
      expect([stored.email, stored.pendingEmail?.normalizedEmail]).toEqual([null, email])
    },
  )

  it('is asked for with PKCE, a nonce, and a new sign-in where a new proof is needed', async () => {
    const browser = new TestBrowser(service)
    const started = await browser.get(`${gitlab.path}/start?force_authn=true`, 'same-origin')
    const { searchParams } = new URL(started.headers.get('location') ?? '')
    expect(Object.fromEntries(searchParams)).toMatchObject({
      ...{ code_challenge_method: 'S256', prompt: 'login', max_age: '0' },
      ...{ nonce: expect.any(String), scope: 'openid email profile' },
    })
    const answer = upstream.authorize(
      started.headers.get('location') ?? '',
      newAccount({ auth_time: undefined }),
    )
    expect((await openCallback(browser, answer)).status).toBe(401)
  })
})

describe('an answer of GitLab', () => {
  it.each<readonly [string, Behavior]>([
    ['another issuer', { claims: { iss: 'https://gitlab.example' } }],
    ['the issuer of another provider', { claims: { iss: 'https://accounts.google.com' } }],
    ['another client', { claims: { aud: 'other' } }],
    ['another nonce', { claims: { nonce: 'other' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['no subject', { claims: { sub: undefined } }],
    ['no ID token', { tokens: { id_token: undefined } }],
  ])('signs nobody in with %s', async (_, behavior) => {
    upstream.behave(behavior)
    const { answer, user } = await gitlab.signIn(newAccount())
    upstream.behave({})
    expect([answer.status, user]).toEqual([401, undefined])
  })

  it('is not accepted as a form', async () => {
    const browser = new TestBrowser(service)
    const started = await browser.get(`${gitlab.path}/start`, 'same-origin')
    const answer = upstream.authorize(started.headers.get('location') ?? '', newAccount())
    const posted = await browser.post(answer.pathname, Object.fromEntries(answer.searchParams), 'cross-site')
    expect([posted.status, sessionOf(posted)]).toEqual([401, undefined])
  })
})

describe('a connection to GitLab', () => {
  const create = async (body: object) =>
    call('POST', 'auth/oidc-connections', {
      ...fields,
      ...{ issuer: upstream.issuer, client_id: clientId, client_secret: clientSecret },
      ...body,
    })
  const company = { public_provider: null, first_sign_in: null }

  it.each<readonly [string, object, string]>([
    ['another issuer', { issuer: 'https://elsewhere.example.com' }, 'must be https://gitlab.com'],
    ['the issuer of Google', { issuer: 'https://accounts.google.com' }, 'must be https://gitlab.com'],
    ['an issuer of a tenant', { issuer: 'https://gitlab.com/x' }, 'must be https://gitlab.com'],
    ['fields of a company', { auto_create_users: true }, 'is only for the identity provider of a company'],
    ['a domain', { hosted_domain: 'example.com' }, 'is only for the identity provider of a company'],
    ['an organization', { organization_id: 1 }, 'is only for the identity provider of a company'],
    ['fields of Apple', { apple_team_id: 'ABCDE12345' }, 'is only for Apple'],
    ['a key', { token_endpoint_auth_method: 'private_key_jwt' }, 'because GitLab has no other way'],
    ['no openid', { scopes: ['profile'] }, 'must contain openid'],
    ['GitLab as a company', { ...company, issuer: 'https://gitlab.com' }, 'is for everybody'],
    [
      'GitLab as any provider',
      { public_provider: 'oidc', issuer: 'https://gitlab.com' },
      '`public_provider`',
    ],
  ])('is refused with %s', async (_, body, message) => {
    const answer = await create(body)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.text).toContain(message)
  })

  it('stays one, with its issuer', async () => {
    expect((await create({})).status).toBe(409)
    const moved = await gitlab.change({ issuer: 'https://gitlab.com', client_secret: clientSecret })
    expect(moved.text).toContain('of a public provider cannot be changed')
    const renamed = await gitlab.change({ public_provider: 'google' })
    expect(renamed.text).toContain('cannot be changed. Create another connection')
  })

  it('receives no notifications of Apple', async () => {
    const answer = await service.client('POST', `${gitlab.path}/apple-notifications`, {
      body: { payload: 'x' },
    })
    expect(answer.status).toBe(404)
  })

  it('is offered on the sign-in page', async () => {
    const page = await new TestBrowser(service).get('/')
    expect(page.text).toContain(`${gitlab.path}/start`)
    expect(page.text).toContain('&quot;preset&quot;:&quot;gitlab&quot;')
  })
})
