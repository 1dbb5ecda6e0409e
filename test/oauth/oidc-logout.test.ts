import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { signingKeyRotationMs } from '../../lib/kernel/limits/limits.ts'
import { minute } from '../../lib/kernel/util/time.ts'
import { readHiddenFields } from '../support/decisions.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  getTokens,
  readRedirect,
  refresh,
} from '../support/oidc.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const signedOutPage = 'https://app.example/signed-out?from=latchkey'
const service = await useService()
const party = await addRelyingParty(service, {
  name: 'The <Shop>',
  post_logout_redirect_uris: [signedOutPage],
})

const isSignedIn = async ({ bearer }: SignedInPerson) =>
  (await service.client('GET', '/api/2/users/me', { bearer })).status === 200
const logOut = (
  parameters: Readonly<Record<string, string>>,
  { bearer }: Partial<SignedInPerson> = {},
  headers: Readonly<Record<string, string>> = {},
) =>
  service.client('GET', `/oauth2/logout?${new URLSearchParams(parameters)}`, {
    headers: { accept: 'text/html', ...(bearer ? { cookie: `latchkey=${bearer}` } : {}), ...headers },
  })
const confirm = (form: Readonly<Record<string, string>>, { bearer }: SignedInPerson, site = 'same-origin') =>
  service.client('POST', '/oauth2/logout/confirm', {
    raw: String(new URLSearchParams(form)),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: `latchkey=${bearer}`,
      'sec-fetch-site': site,
    },
  })
const target = { post_logout_redirect_uri: signedOutPage, state: 'a&b' }

describe('a logout for a client', () => {
  it('with an ID token of the session ends it at once and leads back', async () => {
    const person = await addSignedIn(service)
    const tokens = await getTokens(service, party, person.bearer)
    const answer = await logOut({ id_token_hint: tokens.id_token, ...target }, person, {
      'sec-fetch-site': 'cross-site',
    })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`${signedOutPage}&state=a%26b`)
    expect(answer.cookies).toEqual([
      expect.stringMatching(/^latchkey=; .*Max-Age=0$/),
      expect.stringMatching(/^latchkey-marked-session=; .*Max-Age=0$/),
    ])
    expect(await isSignedIn(person)).toBe(false)
    expect((await refresh(service, party, tokens.refresh_token)).status).toBe(400)
  })

  it('without one asks first, and only a page of this service can answer', async () => {
    const person = await addSignedIn(service)
    const other = await addSignedIn(service)
    const { id_token, access_token } = await getTokens(service, party, other.bearer)
    const client = { client_id: party.client.clientId }
    const [head, body] = id_token.split('.')
    for (const parameters of [
      {},
      client,
      { ...client, ...target },
      { id_token_hint: id_token },
      { id_token_hint: access_token },
      { id_token_hint: `${head}.${body}.` },
      { id_token_hint: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.` },
      { id_token_hint: 'x'.repeat(3000) },
    ]) {
      const answer = await logOut(parameters, person)
      expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
      expect(answer.text).toContain('Sign out?')
      expect(answer.headers.get('content-security-policy')).not.toMatch(/unsafe|script-src/)
    }
    const page = await logOut({ ...client, ...target }, person)
    expect(page.text).toContain('The &lt;Shop&gt;')
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example;")
    const fields = readHiddenFields(page)
    expect(fields).toMatchObject({ ...client, ...target })
    expect((await confirm(fields, person, 'cross-site')).status).toBe(403)
    expect(await isSignedIn(person)).toBe(true)
    const answer = await confirm(fields, person)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${signedOutPage}&state=a%26b`])
    expect(await isSignedIn(person)).toBe(false)
    expect(await isSignedIn(other)).toBe(true)
  })

  it.each(['de', 'ja', 'xx de', undefined])(
    'asks in the language %s, also for the answer',
    async (ui_locales) => {
      const person = await addSignedIn(service)
      const page = await logOut({ ...(ui_locales && { ui_locales }) }, person)
      const answer = await confirm(readHiddenFields(page), person)
      expect([answer.status, await isSignedIn(person)]).toEqual([303, false])
    },
  )

  it('leads nowhere that the client did not register', async () => {
    const person = await addSignedIn(service)
    const { id_token } = await getTokens(service, party, person.bearer)
    const other = await addRelyingParty(service)
    for (const [parameters, signedIn] of [
      [{ id_token_hint: id_token, post_logout_redirect_uri: 'https://evil.example/' }, person],
      [{ id_token_hint: id_token, post_logout_redirect_uri: `${signedOutPage}&x=1` }, person],
      [{ id_token_hint: id_token, client_id: other.client.clientId, ...target }, person],
      [{ client_id: other.client.clientId, ...target }, {}],
      [{ client_id: 'unknown', ...target }, {}],
      [target, {}],
    ] as const) {
      const answer = await logOut(parameters, signedIn)
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
      expect(answer.text).toContain('Sign-out failed')
    }
    expect(await isSignedIn(person)).toBe(true)
  })

  it('without a session leads on at once, by GET and by POST', async () => {
    const answer = await logOut({ client_id: party.client.clientId, ...target })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${signedOutPage}&state=a%26b`])
    expect((await logOut({})).headers.get('location')).toBe(`${service.url}/`)
    const raw = String(new URLSearchParams({ client_id: party.client.clientId, ...target }))
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const posted = await service.client('POST', '/oauth2/logout', { raw, headers })
    expect([posted.status, posted.headers.get('location')]).toEqual([303, `/oauth2/logout?${raw}`])
  })
})

describe('new signing keys', () => {
  afterEach(() => vi.useRealTimers())

  it('need no restart, and ID tokens of the key before are still hints', async () => {
    // The keys exist from now on.
    await service.client('GET', '/.well-known/jwks.json')
    const change = Date.now() + signingKeyRotationMs
    vi.useFakeTimers({ toFake: ['Date'], now: change - 10 * minute })
    const person = await addSignedIn(service)
    const before = await getTokens(service, party, person.bearer)
    vi.setSystemTime(change + 10 * minute)
    const renewed = await refresh(service, party, before.refresh_token)
    expect(decodeProtectedHeader(renewed.body.id_token).kid).not.toBe(
      decodeProtectedHeader(before.id_token).kid,
    )
    const { keys } = (await service.client('GET', '/.well-known/jwks.json')).body
    for (const token of [before.id_token, renewed.body.id_token, renewed.body.access_token])
      await expect(compactVerify(token, createLocalJWKSet({ keys }))).resolves.toBeDefined()
    const { challenge } = createPkce()
    const query = buildAuthorization(party, challenge, { id_token_hint: before.id_token, prompt: 'none' })
    const answer = await service.client('GET', `/oauth2/authorize?${query}`, { bearer: person.bearer })
    expect(readRedirect(answer)).toHaveProperty('code')
    expect((await logOut({ id_token_hint: before.id_token }, person)).status).toBe(303)
  })
})
