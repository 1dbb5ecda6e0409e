import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { enableSecondFactor } from '../support/authenticator.ts'
import { TestBrowser } from '../support/browser.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { openQuestion } from '../support/company-sign-in.ts'
import { readHiddenFields } from '../support/decisions.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  exchangeCode,
  proveClient,
  readRedirect,
} from '../support/oidc.ts'
import { startUpstream } from '../support/oidc-upstream.ts'
import { addPasskey, startPasskeySignIn } from '../support/passkeys.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { addPublicConnection, newGoogleAccount, type PublicConnection } from '../support/public-upstream.ts'
import { sessionOf } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* Google answers for the session that a browser has there. It does not say when somebody entered anything, and nobody may have. */

const films = 'https://films.example'
const day = 24 * 60 * 60
const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'samlStarts=100000/60,signUpsPerAddress=100000/60,refusedAnswers=100000/60',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const [upstream, other] = [closeAfterTests(await startUpstream()), closeAfterTests(await startUpstream())]
const google = await addPublicConnection(service, admin.bearer, upstream, { first_sign_in: 'create' })
const anybody = await addPublicConnection(service, admin.bearer, other, {
  ...{ name: 'Anybody', public_provider: 'oidc', first_sign_in: 'create' },
})
const shop = await addRelyingParty(service, { audiences: [films] })
const { challenge, verifier } = createPkce()
const now = () => Math.floor(Date.now() / 1000)

let browser: TestBrowser
beforeEach(() => {
  browser = new TestBrowser(service)
})

const connect = async ({ user }: SignedInPerson, connection = google) => {
  const account = newGoogleAccount()
  const body = { provider: connection.id, name: account.sub }
  expect((await call('POST', `users/${user.id}/company-accounts`, body)).status).toBe(201)
  return account
}
const authorize = (parameters: Readonly<Record<string, string>>): Promise<Answer> =>
  browser.get(
    `/oauth2/authorize?${buildAuthorization(shop, challenge, { resource: films, ...parameters })}`,
    'cross-site',
  )
/** The sign-in page that an answer leads to. Undefined if it leads to the client. */
const readPage = ({ headers }: Answer) => {
  const url = new URL(headers.get('location') ?? '', service.url)
  const back = url.searchParams.get('return_to')
  return back === null
    ? undefined
    : { back, prompt: url.searchParams.get('prompt'), lacks: url.searchParams.get('lacks') }
}
/** Opens an address of the service, and follows it to the next page or the client. */
const follow = async (address: string): Promise<Answer> => {
  const { pathname, search } = new URL(address, service.url)
  const answer = await browser.get(pathname + search, 'same-origin')
  const location = answer.headers.get('location') ?? ''
  return location.includes('/oauth2/') && location.startsWith(service.url) ? follow(location) : answer
}
/** Signs in with the provider for an authorization that waits, and comes back. */
const comeBack = async (page: Answer, account: object, connection: PublicConnection = google) => {
  const query = `?return_to=${encodeURIComponent(readPage(page)?.back ?? '')}`
  const { answer } = await connection.signIn({ ...account }, browser, query)
  return answer.status === 303 ? follow(answer.headers.get('location') ?? '') : answer
}
const readTimes = async (answer: Answer) => {
  const { code = '' } = readRedirect(answer)
  expect(code).not.toBe('')
  const { body } = await exchangeCode(service, shop, { code, verifier })
  const introspected = await service.client('POST', '/oauth2/introspect', {
    raw: String(new URLSearchParams({ token: body.access_token, ...proveClient(shop) })),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const bearer = browser.cookie('latchkey') ?? ''
  const me = await service.client('GET', '/api/2/users/me', { bearer })
  const { ticket } = (await service.client('POST', '/api/2/auth/ticket', { bearer })).body
  const checked = await service.client('POST', '/api/2/auth/ticket/check', {
    body: { ticket, include: ['context'] },
  })
  const jwt = await service.client('POST', '/api/2/auth/jwt', { bearer })
  return {
    idToken: decodeJwt(body.id_token)['auth_time'],
    accessToken: decodeJwt(body.access_token)['auth_time'],
    introspected: introspected.body.auth_time,
    me: Date.parse(me.body.authenticated_at) / 1000,
    ticket: Date.parse(checked.body.context.authenticated_at) / 1000,
    jwt: decodeJwt(jwt.body.token)['auth_time'],
  }
}
const expectTimes = async (answer: Answer, isExpected: (seconds: number) => boolean) => {
  const times = await readTimes(answer)
  for (const [place, time] of Object.entries(times))
    expect([place, time, isExpected(Number(time))]).toEqual([place, time, true])
}
const isRecent = (seconds: number) => Math.abs(now() - seconds) < day
const isLongAgo = (seconds: number) => now() - seconds > 300 * day

describe('a new proof that a product demands from someone whom Google signs in', () => {
  it.each<Readonly<Record<string, string>>>([
    { prompt: 'login' },
    { max_age: '0' },
    { max_age: '3600' },
    { prompt: 'login', max_age: '0' },
  ])('is their password, if they have one: %o', async (asked) => {
    const person = await addSignedIn(service)
    const account = await connect(person)
    await google.signIn(account, browser)
    const page = await authorize(asked)
    expect(readPage(page)).toMatchObject({ prompt: 'login', lacks: 'proof' })
    const again = await comeBack(page, account)
    expect(readRedirect(again)['code']).toBeUndefined()
    expect(readPage(again)).toMatchObject({ prompt: 'login', lacks: 'proof' })
    const signedIn = await service.client('POST', '/api/2/auth/login', {
      body: { username: person.user.username, password: person.password },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    browser.keep(signedIn)
    await expectTimes(await follow(readPage(again)?.back ?? ''), isRecent)
  })

  it('is their passkey, if they have no password', async () => {
    const account = newGoogleAccount()
    const { answer } = await google.signIn(account, browser)
    const { passkey } = await addPasskey(service, { bearer: sessionOf(answer) ?? '' })
    const page = await authorize({ prompt: 'login', max_age: '0' })
    const again = await comeBack(page, account)
    expect(readPage(again)).toMatchObject({ lacks: 'proof' })
    const signedIn = await service.client('POST', '/api/2/auth/passkeys/login', {
      body: { credential: passkey.get(await startPasskeySignIn(service)) },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect(signedIn.status, signedIn.text).toBe(200)
    browser.keep(signedIn)
    await expectTimes(await follow(readPage(again)?.back ?? ''), isRecent)
  })

  it('is the code that they enter with each sign-in', async () => {
    const person = await addSignedIn(service)
    const { authenticator } = await enableSecondFactor(service, person)
    const account = await connect(person)
    const page = await authorize({ prompt: 'login', max_age: '0' })
    const query = `?return_to=${encodeURIComponent(readPage(page)?.back ?? '')}`
    const { answer } = await google.signIn(account, browser, query)
    const question = await openQuestion(browser, answer)
    const fields = { ...readHiddenFields(question.page), answer: 'yes', otp: authenticator.code(1) }
    const done = await browser.post(question.path, fields, 'same-origin')
    expect(sessionOf(done)).toBeDefined()
    const [, next = ''] = /url=([^"]+)/.exec(done.headers.get('refresh') ?? '') ?? []
    await expectTimes(await follow(next), isRecent)
  })

  it('is the password that they confirm their identity with, in the same session', async () => {
    const person = await addSignedIn(service)
    const account = await connect(person)
    const { answer } = await google.signIn(account, browser)
    const page = await authorize({ prompt: 'login' })
    const { status } = await service.client('POST', '/api/2/auth/reauthenticate', {
      ...{ bearer: sessionOf(answer) ?? '', body: { password: person.password } },
    })
    expect(status).toBe(204)
    await expectTimes(await follow(readPage(page)?.back ?? ''), isRecent)
  })

  it('does not exist without a factor of this service, and the tokens do not claim one', async () => {
    const account = newGoogleAccount()
    await google.signIn(account, browser)
    const page = await authorize({ prompt: 'login', max_age: '0' })
    expect(readPage(page)).toMatchObject({ prompt: 'login', lacks: null })
    await expectTimes(await comeBack(page, account), isLongAgo)
  })

  it('is asked for as well where Google signed them in a moment ago', async () => {
    const person = await addSignedIn(service)
    const account = await connect(person)
    await google.signIn(account, browser)
    await expectTimes(await authorize({}), isLongAgo)
    expect(readPage(await authorize({ max_age: '3600' }))).toMatchObject({ lacks: 'proof' })
    const silent = await authorize({ max_age: '3600', prompt: 'none' })
    expect(readRedirect(silent)['error']).toBe('login_required')
  })
})

describe('the time of a sign-in', () => {
  it('with Google counts as long ago in tokens, introspection and the own profile', async () => {
    await google.signIn(newGoogleAccount(), browser)
    await expectTimes(await authorize({}), isLongAgo)
  })

  it('that the provider states is the one of the tokens', async () => {
    const at = now() - 1000
    await google.signIn(newGoogleAccount({ auth_time: at }), browser)
    await expectTimes(await authorize({}), (seconds) => seconds === at)
  })

  it('with Google lets people without a password change their account', async () => {
    const { answer } = await google.signIn(newGoogleAccount(), browser)
    const bearer = sessionOf(answer) ?? ''
    const options = await service.client('POST', '/api/2/users/me/passkeys/options', { bearer })
    expect(options.status, options.text).toBe(200)
  })
})

describe('a provider of OpenID Connect for everybody that is asked for a new sign-in', () => {
  it.each<[string, () => number | undefined, number]>([
    ['no time', () => undefined, 401],
    ['an old time', () => now() - day, 401],
    ['a new time', () => now() + 5, 303],
  ])('and answers with %s', async (_, readTime, status) => {
    const person = await addSignedIn(service)
    const account = await connect(person, anybody)
    const page = await authorize({ prompt: 'login' })
    const query = `?return_to=${encodeURIComponent(readPage(page)?.back ?? '')}`
    const { answer } = await anybody.signIn({ ...account, auth_time: readTime() }, browser, query)
    expect([answer.status, sessionOf(answer) === undefined]).toEqual([status, status === 401])
    const forced = await anybody.signIn({ ...account, auth_time: readTime() }, undefined, '?force_authn=true')
    expect(forced.answer.status).toBe(status)
  })

  it('is not refused without a time where nothing was asked', async () => {
    const { answer } = await anybody.signIn(newGoogleAccount(), browser)
    expect(answer.status).toBe(303)
    await expectTimes(await authorize({}), isLongAgo)
  })
})
