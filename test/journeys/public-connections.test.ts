import { expect, it } from 'vitest'
import {
  describeApple,
  newAppleAccount,
  newAppleUser,
  postAnswer,
  signNotification,
  startApple,
} from '../support/apple-upstream.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { TestBrowser } from '../support/browser.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { decide, openQuestion, readNext } from '../support/company-sign-in.ts'
import { readHiddenFields } from '../support/decisions.ts'
import { newGithubAccount, startGithub } from '../support/github-upstream.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { newMicrosoftAccount, startMicrosoft } from '../support/microsoft-upstream.ts'
import { clientId, clientSecret, openCallback, startUpstream } from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, trySignIn } from '../support/people.ts'
import { addPublicConnection, newGoogleAccount, readUser } from '../support/public-upstream.ts'
import { sessionOf } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* Google, Microsoft, Apple and GitHub, played by stand-ins, and the people who sign in with them. */

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const upstream = closeAfterTests(await startUpstream())
const google = await addPublicConnection(service, admin.bearer, upstream)
const microsoftUpstream = closeAfterTests(await startMicrosoft())
const microsoft = await service.client('POST', '/api/2/auth/oidc-connections', {
  bearer: admin.bearer,
  body: {
    ...{ name: 'Microsoft', public_provider: 'microsoft', issuer: microsoftUpstream.issuer },
    ...{ client_id: clientId, client_secret: clientSecret, first_sign_in: 'ask' },
  },
})
const appleUpstream = closeAfterTests(await startApple())
const apple = await service.client('POST', '/api/2/auth/oidc-connections', {
  bearer: admin.bearer,
  body: describeApple(appleUpstream),
})
const githubUpstream = closeAfterTests(await startGithub())
const github = await service.client('POST', '/api/2/auth/oidc-connections', {
  bearer: admin.bearer,
  body: {
    ...{ name: 'GitHub', public_provider: 'github', issuer: githubUpstream.issuer, first_sign_in: 'ask' },
    ...{ client_id: clientId, client_secret: clientSecret },
    token_endpoint_auth_method: 'client_secret_post',
  },
})
const me = async (bearer: string | undefined) =>
  (await service.client('GET', '/api/2/users/me', { bearer: bearer ?? '' })).body
const accountsOf = async (bearer: string) =>
  (await service.client('GET', '/api/2/users/me/company-accounts', { bearer })).body

it('a newcomer creates an account, comes back, and keeps the last way to sign in', async () => {
  const account = newGoogleAccount({ email: 'grace@gmail.com' })
  const browser = new TestBrowser(service)
  const signInPage = await browser.get('/')
  const startPath = `${google.path}/start`
  expect(signInPage.text).toContain(startPath)
  expect(signInPage.text).toContain('&quot;preset&quot;:&quot;google&quot;')

  const first = await google.signIn(account, browser)
  const question = await openQuestion(browser, first.answer)
  expect(question.page.text).toContain('grace@gmail.com')
  const created = await decide(browser, question, 'yes')
  expect(created.status, created.text).toBe(200)
  const session = sessionOf(created) ?? ''
  const own = await me(session)
  expect(own).toMatchObject({ full_name: 'Grace Hopper', email: 'grace@gmail.com', email_verified: true })
  const back = await browser.get(readNext(created), 'same-origin')
  expect(back.status).toBe(303)

  const out = await service.client('POST', '/api/2/auth/logout', { bearer: session })
  expect(out.status, out.text).toBe(204)
  expect((await service.client('GET', '/api/2/users/me', { bearer: session })).status).toBe(401)
  const again = await google.signIn(account, browser)
  expect(again.user).toBe(own.id)
  const bearer = sessionOf(again.answer) ?? ''

  const [listed] = await accountsOf(bearer)
  expect(listed).toMatchObject({ provider: { id: google.id, name: 'Google' }, name: 'grace@gmail.com' })
  const path = `/api/2/users/me/company-accounts/${listed.id}`
  const last = await service.client('DELETE', path, { bearer })
  expect([last.status, last.body.reason]).toEqual([409, 'last_sign_in_method'])
  const second = newGoogleAccount()
  const started = await browser.get(`${startPath}?link=true`, 'same-origin')
  const linked = await openCallback(
    browser,
    upstream.authorize(started.headers.get('location') ?? '', second),
  )
  expect(linked.status, linked.text).toBe(303)
  expect((await service.client('DELETE', path, { bearer })).status).toBe(204)
  const events = await service.client(
    'GET',
    `/api/2/auth/audit-events?event=company_account.unlinked&user=${own.id}`,
    { bearer: admin.bearer },
  )
  expect(events.body).toMatchObject([{ target: `oidc:${google.id}` }])
  expect((await google.signIn(second)).user).toBe(own.id)
  expect((await google.signIn(account)).user).toBeUndefined()
})

it('someone who has an account connects it after they signed in to it', async () => {
  const owner = await addPerson(service, { email: 'ada@gmail.com' })
  const account = newGoogleAccount({ email: 'ada@gmail.com' })
  const browser = new TestBrowser(service)
  const first = await google.signIn(account, browser)
  const asked = await openQuestion(browser, first.answer)
  expect(asked.page.text).toContain('prompt=login')
  browser.keep(await trySignIn(service, owner))
  const signedIn = await service.client('POST', '/api/2/auth/login', {
    body: { username: owner.user.username, password: owner.password },
    headers: { origin: service.url, 'sec-fetch-site': 'same-origin' },
  })
  browser.keep(signedIn)
  const question = { path: asked.path, page: await browser.get(asked.path, 'same-origin') }
  expect(question.page.text).toContain(owner.user.username)
  expect((await decide(browser, question, 'yes')).status).toBe(200)
  expect((await google.signIn(account)).user).toBe(owner.user.id)
})

it('someone with a second factor enters its code', async () => {
  const person = await addSignedIn(service)
  const { authenticator } = await enableSecondFactor(service, person)
  const account = newGoogleAccount()
  const linked = await service.client('POST', `/api/2/users/${person.user.id}/company-accounts`, {
    bearer: admin.bearer,
    body: { provider: google.id, name: account.sub },
  })
  expect(linked.status, linked.text).toBe(201)
  const { browser, answer } = await google.signIn(account)
  const { path, page } = await openQuestion(browser, answer)
  const form = { ...readHiddenFields(page), answer: 'yes', otp: authenticator.code(1) }
  const done = await browser.post(path, form, 'same-origin')
  expect(await readUser(service, done)).toBe(person.user.id)
})

it('an administrator sets up Microsoft, and someone with a work account creates an account with it', async () => {
  expect(microsoft.status, microsoft.text).toBe(201)
  const { id, login_url: loginUrl, redirect_uri: redirectUri } = microsoft.body
  const browser = new TestBrowser(service)
  const signInPage = await browser.get('/')
  const startPath = new URL(loginUrl).pathname
  expect(signInPage.text).toContain(startPath)
  expect(signInPage.text).toContain('&quot;preset&quot;:&quot;microsoft&quot;')

  // The address is not the tenant's, so that a link confirms it.
  const email = 'edsger@elsewhere.example'
  const account = newMicrosoftAccount(microsoftUpstream, {
    email,
    xms_edov: false,
    preferred_username: 'edsger@work.example',
    name: 'Edsger Dijkstra',
  })
  const open = async () => {
    const started = await browser.get(startPath, 'same-origin')
    const location = started.headers.get('location') ?? ''
    expect(new URL(location).searchParams.get('redirect_uri')).toBe(redirectUri)
    return openCallback(browser, microsoftUpstream.authorize(location, account))
  }
  const question = await openQuestion(browser, await open())
  const answered = await decide(browser, question, 'yes')
  expect(answered.status, answered.text).toBe(200)
  const bearer = sessionOf(answered) ?? ''
  const own = await me(bearer)
  expect(own).toMatchObject({ full_name: 'Edsger Dijkstra', email: null })
  const token = await readMailedToken(service, email, 'confirm')
  const confirmed = await service.client('POST', '/api/2/auth/confirm-email', { bearer, body: { token } })
  expect(confirmed.status, confirmed.text).toBe(204)
  expect(await me(bearer)).toMatchObject({ email, email_verified: true })
  expect(await accountsOf(bearer)).toMatchObject([{ provider: { id, name: 'Microsoft' }, name: email }])

  expect((await service.client('POST', '/api/2/auth/logout', { bearer })).status).toBe(204)
  expect(await readUser(service, await open())).toBe(own.id)
})

it('an administrator sets up GitHub, and someone creates an account with it and confirms their address', async () => {
  expect(github.status, github.text).toBe(201)
  const browser = new TestBrowser(service)
  const signInPage = await browser.get('/')
  const startPath = new URL(github.body.login_url).pathname
  expect(signInPage.text).toContain(startPath)
  const account = newGithubAccount({ login: 'barbara', name: 'Barbara Liskov' })
  const open = async () => {
    const started = await browser.get(startPath, 'same-origin')
    return openCallback(browser, githubUpstream.authorize(started.headers.get('location') ?? '', account))
  }
  const question = await openQuestion(browser, await open())
  expect(question.page.text).toContain(account.email)
  const answered = await decide(browser, question, 'yes')
  expect(answered.status, answered.text).toBe(200)
  const bearer = sessionOf(answered) ?? ''
  const own = await me(bearer)
  expect(own).toMatchObject({ full_name: 'Barbara Liskov', email: null })
  const token = await readMailedToken(service, account.email, 'confirm')
  const confirmed = await service.client('POST', '/api/2/auth/confirm-email', { bearer, body: { token } })
  expect(confirmed.status, confirmed.text).toBe(204)
  expect(await me(bearer)).toMatchObject({ email: account.email, email_verified: true })

  expect((await service.client('POST', '/api/2/auth/logout', { bearer })).status).toBe(204)
  expect(await readUser(service, await open())).toBe(own.id)
})

it('an administrator sets up Apple, and someone who hides their address creates an account with it', async () => {
  const { status, text, body } = apple
  expect(status, text).toBe(201)
  expect(body).toMatchObject({ client_secret: '********', first_sign_in: 'ask', public_provider: 'apple' })
  const browser = new TestBrowser(service)
  const startPath = new URL(body.login_url).pathname
  const signInPage = await browser.get('/')
  expect(signInPage.text).toContain(startPath)
  expect(signInPage.text).toContain('&quot;preset&quot;:&quot;apple&quot;')
  const account = newAppleAccount()
  const open = async (more: object = {}) => {
    const started = await browser.get(startPath, 'same-origin')
    return postAnswer(browser, appleUpstream.authorize(started.headers.get('location') ?? '', account), more)
  }
  const question = await openQuestion(browser, await open({ user: newAppleUser('Radia', 'Perlman') }))
  expect(question.page.text).toContain(account.email)
  const answered = await decide(browser, question, 'yes')
  expect(answered.status, answered.text).toBe(200)
  const bearer = sessionOf(answered) ?? ''
  const own = await me(bearer)
  expect(own).toMatchObject({ full_name: 'Radia Perlman', email: account.email, email_verified: true })
  expect(await accountsOf(bearer)).toMatchObject([{ provider: { name: 'Apple' }, name: account.email }])

  expect((await service.client('POST', '/api/2/auth/logout', { bearer })).status).toBe(204)
  expect(await readUser(service, await open())).toBe(own.id)
  // Another person is signed in there, and is asked before their session ends.
  const other = await addPerson(service)
  browser.keep(
    await service.client('POST', '/api/2/auth/login', {
      body: { username: other.user.username, password: other.password },
      headers: { origin: service.url, 'sec-fetch-site': 'same-origin' },
    }),
  )
  const asked = await openQuestion(browser, await open())
  expect(asked.page.text).toContain(`Stay signed in as ${other.user.username}`)
})

it('someone leaves Apple there, and an account here is removed from Apple', async () => {
  const startPath = new URL(apple.body.login_url).pathname
  const signIn = async (account: ReturnType<typeof newAppleAccount>) => {
    const browser = new TestBrowser(service)
    const started = await browser.get(startPath, 'same-origin')
    const location = started.headers.get('location') ?? ''
    return { browser, answer: await postAnswer(browser, appleUpstream.authorize(location, account)) }
  }
  const [leaving, deleted] = [newAppleAccount(), newAppleAccount()]
  const sessions = []
  for (const account of [leaving, deleted]) {
    const { browser, answer } = await signIn(account)
    sessions.push(sessionOf(await decide(browser, await openQuestion(browser, answer), 'yes')) ?? '')
  }
  const [left = '', kept = ''] = sessions
  const path = new URL(apple.body.apple_notifications_uri).pathname
  const send = async (type: string, sub: string) => {
    const payload = await signNotification(appleUpstream, { type, sub })
    return (await service.client('POST', path, { body: { payload } })).status
  }
  expect(await send('consent-revoked', leaving.sub)).toBe(200)
  expect([(await me(left)).code, (await me(kept)).email]).toEqual(['not_authenticated', deleted.email])
  expect(await readUser(service, (await signIn(leaving)).answer)).toBeDefined()

  const { id } = await me(kept)
  expect((await service.client('DELETE', `/api/2/users/${id}`, { bearer: admin.bearer })).status).toBe(204)
  await service.informClients()
  const revoked = appleUpstream.requests.filter((one) => one.path === '/auth/revoke')
  expect(revoked.map(({ body }) => body.get('token_type_hint'))).toEqual(['refresh_token'])
})
