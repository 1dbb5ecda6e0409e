import { generateKeyPairSync } from 'node:crypto'
import { decodeJwt, SignJWT } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from '../support/client.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  exchangeCode,
  getTokens,
  readRedirect,
  readReturnPath,
} from '../support/oidc.ts'
import { addSignedIn, type SignedInPerson, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A client that names the user of an ID token never gets another one (OpenID Connect Core 3.1.2.2). */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const wanted = await addSignedIn(service)
const other = await addSignedIn(service)
const shop = await addRelyingParty(service)
const library = await addRelyingParty(service)
const hint: string = (await getTokens(service, shop, wanted.bearer)).id_token
afterEach(() => vi.useRealTimers())

type Parameters = Readonly<Record<string, string | undefined>>

const { challenge, verifier } = createPkce()
const authorize = (parameters: Parameters = {}, bearer?: string) => {
  const query = buildAuthorization(shop, challenge, { id_token_hint: hint, ...parameters })
  const cookie = bearer === undefined ? {} : { cookie: `latchkey=${bearer}` }
  return service.client('GET', `/oauth2/authorize?${query}`, { headers: { accept: 'text/html', ...cookie } })
}

/** Returns from the sign-in page to the authorization with a session. */
const comeBack = (
  { headers, cookies }: Pick<Answer, 'headers' | 'cookies'>,
  bearer: string,
): Promise<Answer> => {
  const jar = [`latchkey=${bearer}`, ...cookies.map((cookie) => cookie.split(';')[0])].join('; ')
  return service.client('GET', readReturnPath({ headers }), { headers: { cookie: jar, accept: 'text/html' } })
}
/** The subject of the tokens that the client gets, or the error. */
const readOutcome = async (answer: Answer): Promise<string> => {
  const { code, error, state } = readRedirect(answer)
  expect([answer.status, state]).toEqual([303, 'the state'])
  if (code === undefined) return error ?? 'neither code nor error'
  const tokens = await exchangeCode(service, shop, { code, verifier })
  return String(decodeJwt(tokens.body.id_token).sub)
}
const idOf = ({ user }: SignedInPerson): string => String(user.id)

describe('another user', () => {
  it.each([
    ['is signed in and returns at once', {}, true],
    ['signs in after an anonymous start', {}, false],
    ['is signed in and chooses their own account', { prompt: 'select_account' }, true],
    ['signs in to choose an account', { prompt: 'select_account' }, false],
    ['is signed in, with prompt=consent', { prompt: 'consent' }, true],
    ['is signed in, with a recent sign-in', { max_age: '3600' }, true],
    ['is signed in and asks for a refresh token', { scope: 'openid offline_access' }, true],
  ] as const)('gets no code if they: %s', async (_, parameters, isSignedIn) => {
    const page = await authorize(parameters, isSignedIn ? other.bearer : undefined)
    expect(page.headers.get('location')).toContain(`${service.url}/?return_to=`)
    expect(await readOutcome(await comeBack(page, other.bearer))).toBe('login_required')
  })

  it.each([{ prompt: 'login' }, { max_age: '0' }, { prompt: 'login select_account' }])(
    'gets no code with a new sign-in for %j',
    async (parameters) => {
      for (const bearer of [other.bearer, undefined]) {
        const page = await authorize(parameters, bearer)
        const answer = await comeBack(page, await signIn(service, other))
        expect(await readOutcome(answer)).toBe('login_required')
      }
    },
  )

  it('gets an error at once with prompt=none, and so does a stranger', async () => {
    expect(await readOutcome(await authorize({ prompt: 'none' }, other.bearer))).toBe('login_required')
    expect(await readOutcome(await authorize({ prompt: 'none' }))).toBe('login_required')
  })

  it('gets no code by an ID token that has expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_000_000 })
    const page = await authorize({}, other.bearer)
    expect(await readOutcome(await comeBack(page, other.bearer))).toBe('login_required')
    expect(await readOutcome(await authorize({}, wanted.bearer))).toBe(idOf(wanted))
  })

  it('gets no code by form_post', async () => {
    const page = await authorize({ response_mode: 'form_post' }, other.bearer)
    const { status, text } = await comeBack(page, other.bearer)
    expect([status, /name="error" value="login_required"/.test(text)]).toEqual([200, true])
    expect(text).not.toContain('name="code"')
  })

  it('gets no code from the same authorization after the wanted user completed it', async () => {
    const page = await authorize()
    expect(await readOutcome(await comeBack(page, wanted.bearer))).toBe(idOf(wanted))
    expect(await readOutcome(await comeBack(page, other.bearer))).toBe('login_required')
    expect((await comeBack(page, wanted.bearer)).status).toBe(400)
  })

  it('gets no code after the authorization asked for a second sign-in', async () => {
    const page = await authorize({ prompt: 'select_account', max_age: '60' }, wanted.bearer)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 })
    const again = await comeBack(page, wanted.bearer)
    expect(again.headers.get('location')).toContain('prompt=login')
    const jar = { headers: again.headers, cookies: again.cookies.slice(-3) }
    expect(await readOutcome(await comeBack(jar, await signIn(service, other)))).toBe('login_required')
    expect(await readOutcome(await comeBack(jar, await signIn(service, wanted)))).toBe(idOf(wanted))
  })
})

describe('an administrator', () => {
  it('who begins to impersonate somebody else in between gets no code for them', async () => {
    const own = (await getTokens(service, shop, admin.bearer)).id_token
    const page = await authorize({ id_token_hint: own, prompt: 'select_account' }, admin.bearer)
    const { bearer } = admin
    const path = '/api/2/auth/impersonation'
    await service.client('POST', path, { bearer, body: { user: other.user.id } })
    expect(await readOutcome(await comeBack(page, bearer))).toBe('login_required')
    await service.client('POST', `${path}/stop`, { bearer, body: {} })
    expect(await readOutcome(await comeBack(page, bearer))).toBe(idOf(admin))
  })

  it('gets a code as the wanted user whom they impersonate, and none as themselves', async () => {
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const page = await authorize({}, bearer)
    expect(await readOutcome(await comeBack(page, bearer))).toBe('login_required')
    await service.client('POST', '/api/2/auth/impersonation', { bearer, body: { user: wanted.user.id } })
    expect(await readOutcome(await comeBack(page, bearer))).toBe(idOf(wanted))
  })
})

describe('the wanted user', () => {
  it.each([{}, { prompt: 'login' }, { max_age: '0' }, { prompt: 'select_account' }])(
    'gets a code after they signed in for %j, in place of another one',
    async (parameters) => {
      for (const bearer of [other.bearer, undefined]) {
        const page = await authorize(parameters, bearer)
        expect(await readOutcome(await comeBack(page, await signIn(service, wanted)))).toBe(idOf(wanted))
      }
    },
  )

  it('comes back at once if they are signed in', async () => {
    for (const prompt of [undefined, 'none', 'consent'])
      expect(await readOutcome(await authorize({ prompt }, wanted.bearer))).toBe(idOf(wanted))
  })
})

it('an ID token that is not one of this client and service is refused', async () => {
  const claims = decodeJwt(hint)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)
  const [head = '', body = '', signature = ''] = hint.split('.')
  const changed = Buffer.from(JSON.stringify({ ...claims, sub: idOf(other) })).toString('base64url')
  for (const id_token_hint of [
    forged,
    (await getTokens(service, library, wanted.bearer)).id_token,
    (await getTokens(service, shop, wanted.bearer)).access_token,
    `${head}.${changed}.${signature}`,
    `${head}.${body}.`,
    'pairwise',
    idOf(wanted),
    'x'.repeat(8000),
  ])
    for (const bearer of [wanted.bearer, other.bearer])
      expect(await readOutcome(await authorize({ id_token_hint }, bearer))).toBe('invalid_request')
})
