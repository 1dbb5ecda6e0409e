import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { TestBrowser } from '../support/browser.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { type GithubAccount, newGithubAccount, startGithub } from '../support/github-upstream.ts'
import { clientId, clientSecret, openCallback, startUpstream } from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { readUser } from '../support/public-upstream.ts'
import { useService } from '../support/use-service.ts'

/* GitHub for everybody: no ID token says who signs in, but the API that an access token opens. */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'samlStarts=100000/60,signUpsPerAddress=100000/60,emailConfirmationsPerRecipient=500/3600',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const upstream = closeAfterTests(await startGithub())
const fields = {
  ...{ name: 'GitHub', public_provider: 'github', issuer: upstream.issuer, first_sign_in: 'create' },
  ...{ client_id: clientId, client_secret: clientSecret, token_endpoint_auth_method: 'client_secret_post' },
}
const connections = 'auth/oidc-connections'
const created = await call('POST', connections, fields)
if (created.status !== 201) throw new Error(created.text)
const path = `/api/2/${connections}/${created.body.id}`
beforeEach(() => upstream.behave({}))

const start = async (browser: TestBrowser, query = ''): Promise<string> =>
  (await browser.get(`${path}/start${query}`, 'same-origin')).headers.get('location') ?? ''
const signIn = async (account: GithubAccount = newGithubAccount(), browser = new TestBrowser(service)) => {
  const answer = await openCallback(browser, upstream.authorize(await start(browser), account))
  return { answer, browser, user: await readUser(service, answer) }
}
const readStored = async (id: number | undefined) => {
  const user = await findUser(service.services.table, id ?? 0)
  if (!user) throw new Error(`there is no user ${id}`)
  return user
}
const account = newGithubAccount()

describe('an answer of GitHub', () => {
  const expectRefused = async (behavior: Parameters<typeof upstream.behave>[0], status: number) => {
    upstream.behave(behavior)
    const { answer, user } = await signIn()
    expect([answer.status, user]).toEqual([status, undefined])
    expect(answer.text).toMatch(/GitHub|identity provider/)
  }
  it.each<readonly [string, Parameters<typeof upstream.behave>[0]]>([
    ['no account', { user: {} }],
    ['null', { user: null }],
    ['a list of accounts', { user: [account.user] }],
    ['a text', { user: 'octocat' }],
    ['an account without a number', { user: { ...account.user, id: undefined } }],
    ['a text as number', { user: { ...account.user, id: '7' } }],
    ['zero', { user: { ...account.user, id: 0 } }],
    ['a negative number', { user: { ...account.user, id: -7 } }],
    ['a fraction', { user: { ...account.user, id: 7.5 } }],
    ['a number that is not exact', { user: { ...account.user, id: 2 ** 53 } }],
    ['a list as number', { user: { ...account.user, id: [7] } }],
    ['an object as number', { user: { ...account.user, id: { toString: 7 } } }],
    ['no access token', { token: { access_token: undefined } }],
    ['a number as access token', { token: { access_token: 7 } }],
    ['another kind of token', { token: { token_type: 'mac' } }],
    ['an error with status 200', { token: { error: 'bad_verification_code' } }],
    ['an error and an access token', { token: { error: 'x', access_token: 'gho_x' } }],
    ['an ID token', { token: { id_token: 'e30.e30.' } }],
  ])('signs nobody in: %s', (_, behavior) => expectRefused(behavior, 401))

  it.each<readonly [string, Parameters<typeof upstream.behave>[0]]>([
    ['an access token of nobody', { token: { access_token: 'gho_of_nobody' } }],
    ['an error of the API', { statuses: { user: 500 } }],
    ['a refusal of the API', { statuses: { user: 403 } }],
    ['a redirect of the API', { statuses: { user: 302 } }],
    ['an error for the addresses', { statuses: { emails: 500 } }],
  ])('is not there: %s', (_, behavior) => expectRefused(behavior, 502))

  it('counts once, in the browser that began, with its own code verifier', async () => {
    const browser = new TestBrowser(service)
    const answer = upstream.authorize(await start(browser), newGithubAccount())
    expect((await openCallback(new TestBrowser(service), answer)).status).toBe(401)
    expect((await openCallback(browser, answer)).status).toBe(303)
    expect((await openCallback(browser, answer)).status).toBe(401)
    // The code of somebody else, in an own sign-in.
    const victim = upstream.authorize(await start(new TestBrowser(service)), newGithubAccount())
    const injected = upstream.authorize(await start(browser), newGithubAccount())
    injected.searchParams.set('code', victim.searchParams.get('code') ?? '')
    expect((await openCallback(browser, injected)).status).toBe(401)
    const foreign = upstream.authorize(await start(browser), newGithubAccount())
    foreign.searchParams.set('iss', 'https://github.example/login/oauth')
    expect((await openCallback(browser, foreign)).status).toBe(401)
  })

  it('is asked for with PKCE, the secret in the body, and the scopes of GitHub', async () => {
    const { searchParams } = new URL(await start(new TestBrowser(service)))
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'user:email read:user',
      code_challenge_method: 'S256',
    })
    expect(searchParams.has('nonce')).toBe(false)
    await signIn()
    const [token, user, emails] = upstream.requests.slice(-3)
    expect([token?.path, token?.authorization]).toEqual(['/access_token', ''])
    expect(token?.body.get('client_secret')).toBe(clientSecret)
    expect([user?.path, emails?.path]).toEqual(['/api/user', '/api/user/emails'])
    expect(service.log.join('\n')).not.toMatch(/gho_/)
  })
})

describe('an account at GitHub', () => {
  it('is its number: a login that somebody else takes over leads nowhere', async () => {
    const before = newGithubAccount({ login: 'octo-moved' })
    const { user } = await signIn(before)
    expect((await signIn({ ...before, user: { ...before.user, login: 'octo-new' } })).user).toBe(user)
    const taker = await signIn(newGithubAccount({ login: 'octo-moved' }, before.emails))
    expect(taker.user).toBeDefined()
    expect(taker.user).not.toBe(user)
  })

  it('stays when the connection is removed and added again', async () => {
    const known = newGithubAccount()
    const { user } = await signIn(known)
    expect((await call('DELETE', `${connections}/${created.body.id}`)).status).toBe(204)
    const again = await call('POST', connections, fields)
    expect([again.status, again.body.id]).toEqual([201, created.body.id])
    expect((await signIn(known)).user).toBe(user)
  })

  it('has an address that waits for a link of this service, also if it is confirmed there', async () => {
    const email = `${randomUUID()}@gmail.com`
    const owner = await addPerson(service, { email })
    const { user } = await signIn(newGithubAccount({ email }, [{ email, verified: true, primary: true }]))
    const stored = await readStored(user)
    expect(stored.id).not.toBe(owner.user.id)
    expect([stored.email, stored.pendingEmail?.normalizedEmail]).toEqual([null, email])
  })

  it.each<readonly [string, (email: string) => unknown]>([
    ['unconfirmed', (email) => [{ email, verified: false, primary: true }]],
    ['confirmed by a text', (email) => [{ email, verified: 'true', primary: true }]],
    ['not the primary one', (email) => [{ email, verified: true, primary: false }]],
    ['without a list', (email) => ({ email, verified: true, primary: true })],
    [
      'in the prototype',
      (email) => [JSON.parse(`{"__proto__":{"email":"${email}","verified":true,"primary":true}}`)],
    ],
    ['null', () => null],
    ['a list of nothing', () => [null, 7, 'x', []]],
    ['a number', () => [{ email: 7, verified: true, primary: true }]],
    ['an object', () => [{ email: { email: 'x' }, verified: true, primary: true }]],
  ])('has no address that GitHub does not vouch for: %s', async (_, list) => {
    const email = `${randomUUID()}@example.com`
    upstream.behave({ emails: list(email) })
    const { user } = await signIn(newGithubAccount({ email }))
    const stored = await readStored(user)
    expect([stored.email, stored.pendingEmail]).toEqual([null, undefined])
  })

  it('has no address if the person refused the scope for it', async () => {
    for (const status of [403, 404]) {
      upstream.behave({ statuses: { emails: status }, emails: { message: 'Not Found' } })
      const { user } = await signIn()
      expect((await readStored(user)).pendingEmail).toBeUndefined()
    }
  })
})

describe('the settings of GitHub', () => {
  const message = async (changes: object) => {
    const { status, body } = await call('POST', connections, { ...fields, name: 'Other', ...changes })
    expect(status).toBe(400)
    return JSON.stringify(body.errors)
  }

  it('are those of GitHub alone', async () => {
    for (const issuer of [
      'https://github.com',
      'https://github.com/login/oauth/',
      'https://github.example/login/oauth',
    ])
      expect(await message({ issuer })).toContain('must be https://github.com/login/oauth')
    for (const method of ['client_secret_basic', 'private_key_jwt'])
      expect(await message({ token_endpoint_auth_method: method })).toContain('must be client_secret_post')
    expect(await message({ public_provider: 'oidc', issuer: 'https://github.com/login/oauth' })).toContain(
      'has a `public_provider` of its own',
    )
  })

  it('give no other provider its API', async () => {
    const plain = closeAfterTests(await startUpstream())
    const other = await call('POST', connections, {
      ...{ name: 'Plain', issuer: plain.issuer, client_id: clientId, client_secret: clientSecret },
    })
    const browser = new TestBrowser(service)
    const started = await browser.get(`/api/2/${connections}/${other.body.id}/start`, 'same-origin')
    const answer = plain.authorize(started.headers.get('location') ?? '')
    plain.behave({ tokens: { id_token: undefined } })
    expect((await openCallback(browser, answer)).status).toBe(401)
    expect(plain.requests.map((one) => one.path)).not.toContain('/api/user')
  })
})

describe('a sign-out that claims to be from GitHub', () => {
  it('is refused without a key to verify it, because GitHub sends none', async () => {
    const encode = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')
    const token = [{ alg: 'RS256' }, { iss: upstream.issuer, aud: clientId, sub: '7' }].map(encode).join('.')
    const body = new URLSearchParams({ logout_token: `${token}.e30` })
    const answer = await fetch(`${service.url}${path}/backchannel-logout`, { method: 'POST', body })
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_request' }])
  })
})
