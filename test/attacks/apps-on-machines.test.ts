import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import { readHiddenFields } from '../support/decisions.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  exchangeCode,
  type RelyingParty,
  readRedirect,
  readReturnPath,
} from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* What another program on the machine of a user can do in the name of an app there (RFC 8252). */

const registered = [
  'http://127.0.0.1/callback',
  'http://[::1]:8000/callback?step=1',
  'http://localhost:8000/callback',
  'com.example.app:/callback',
]
const [loopback = ''] = registered
const service = await useService()
const person = await addSignedIn(service)
const app = await addRelyingParty(service, { type: 'public', redirect_uris: registered })
const server = await addRelyingParty(service, { redirect_uris: registered.slice(0, 3) })

const { challenge, verifier } = createPkce()
const cookieOf = (cookies: readonly string[] = []): string =>
  [`latchkey=${person.bearer}`, ...cookies.map((cookie) => cookie.split(';')[0])].join('; ')
const authorize = (redirect_uri: string, { party = app, ...parameters }: Record<string, unknown> = {}) => {
  const query = buildAuthorization(party as RelyingParty, challenge, { redirect_uri, ...parameters })
  return service.client('GET', `/oauth2/authorize?${query}`, {
    headers: { accept: 'text/html', cookie: cookieOf() },
  })
}
/** Opens the page that asks the user, to which an authorization leads. */
const openPage = async ({ headers, cookies }: Pick<Answer, 'headers' | 'cookies'>) => {
  const { pathname: path, search } = new URL(headers.get('location') ?? '')
  const cookie = cookieOf(cookies)
  const page = await service.client('GET', path + search, { headers: { cookie, accept: 'text/html' } })
  return { path, cookie, page }
}
/** The user agrees on the page, or refuses. */
const goOn = async (started: Pick<Answer, 'headers' | 'cookies'>, answer = 'continue'): Promise<Answer> => {
  const { path, cookie, page } = await openPage(started)
  return service.client('POST', path, {
    raw: String(new URLSearchParams({ answer, ...readHiddenFields(page) })),
    headers: {
      ...{ cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' },
      'content-type': 'application/x-www-form-urlencoded',
    },
  })
}
/** Whether an authorization leads to the page that asks the user. */
const leadsToPage = ({ headers }: Pick<Answer, 'headers'>): boolean =>
  headers.get('location')?.startsWith(`${service.url}/oauth2/interaction/`) === true

describe('an app on the machine of a user', () => {
  it.each([
    ...registered,
    'http://127.0.0.1:51004/callback',
    'http://127.0.0.1:65535/callback',
    'http://[::1]/callback?step=1',
    'http://[::1]:51004/callback?step=1',
  ])('gets a code at %s after the user agrees, each time', async (redirect_uri) => {
    for (const _ of [1, 2]) {
      const started = await authorize(redirect_uri)
      expect([leadsToPage(started), readRedirect(started)['code']]).toEqual([true, undefined])
      const answer = await goOn(started)
      expect(answer.headers.get('location')?.startsWith(redirect_uri)).toBe(true)
      const code = readRedirect(answer)['code'] ?? ''
      expect((await exchangeCode(service, app, { code, verifier }, { redirect_uri })).status).toBe(200)
    }
  })

  it.each([
    ['http://127.0.0.1:51004/callback', 'Then you go on to 127.0.0.1:51004.'],
    ['com.example.app:/callback', 'Then you go on to com.example.app.'],
  ])(
    'is named on the page, with what it gets, and that the code goes to %s',
    async (redirect_uri, leadsTo) => {
      const { page } = await openPage(await authorize(redirect_uri, { scope: 'openid email' }))
      for (const text of [
        `Sign in to ${app.client.name}?`,
        leadsTo,
        'your email address',
        person.user.username,
      ])
        expect(page.text).toContain(text)
      expect(page.text).not.toContain('No administrator registered this app')
      const policy = page.headers.get('content-security-policy')
      expect(policy).toContain(`form-action 'self' ${redirect_uri.replace(/:\/callback|\/callback/, '')}`)
    },
  )

  it('learns that the user refused, and nothing else', async () => {
    const { error, code } = readRedirect(await goOn(await authorize(loopback), 'cancel'))
    expect([error, code]).toEqual(['access_denied', undefined])
  })

  it('exchanges a code only with the port that it was sent to', async () => {
    const answer = await goOn(await authorize('http://127.0.0.1:51004/callback'))
    const code = readRedirect(answer)['code'] ?? ''
    for (const redirect_uri of ['http://127.0.0.1:51005/callback', loopback, ''])
      expect((await exchangeCode(service, app, { code, verifier }, { redirect_uri })).status).toBe(400)
  })

  it.each([
    { prompt: 'none' },
    { prompt: 'consent' },
    { prompt: 'select_account' },
    { scope: 'openid offline_access' },
    { max_age: '3600' },
    { login_hint: 'somebody' },
  ])('gets no code without the user, with %j', async (parameters) => {
    const answer = await authorize(loopback, parameters)
    expect(readRedirect(answer)['code']).toBeUndefined()
    if (parameters.prompt === 'none') expect(readRedirect(answer)['error']).toBe('interaction_required')
    else expect(leadsToPage(answer)).toBe(true)
  })

  it.each([{}, { prompt: 'login' }, { prompt: 'select_account' }, { max_age: '0' }])(
    'asks also who signs in after it came, with %j',
    async (parameters) => {
      const query = buildAuthorization(app, challenge, { redirect_uri: loopback, ...parameters })
      const started = await service.client('GET', `/oauth2/authorize?${query}`)
      const { bearer } = await addSignedIn(service)
      const cookie = [`latchkey=${bearer}`, ...started.cookies.map((text) => text.split(';')[0])].join('; ')
      const path = readReturnPath(started)
      for (const _ of [1, 2]) {
        const page = await service.client('GET', path, { headers: { cookie, accept: 'text/html' } })
        expect([page.status, page.headers.get('location')]).toEqual([200, null])
        expect(page.text).toContain(`Sign in to ${app.client.name}?`)
      }
    },
  )
})

it.each([
  'http://127.0.0.1:51004/other',
  'http://127.0.0.1:51004/callback?step=1',
  'http://127.0.0.1:51004/callback/',
  'http://127.0.0.1:51004/callback#x',
  'http://127.0.0.1:0/callback',
  'http://127.0.0.1:080/callback',
  'http://127.0.0.1:65536/callback',
  'http://127.0.0.1:510045/callback',
  'http://127.0.0.1:/callback',
  'http://127.0.0.1:51004@evil.example/callback',
  'http://evil.example@127.0.0.1:51004/callback',
  'http://127.0.0.1.evil.example/callback',
  'http://127.0.0.2:51004/callback',
  'http://127.1:51004/callback',
  'http://2130706433:51004/callback',
  'https://127.0.0.1:51004/callback',
  'HTTP://127.0.0.1:51004/callback',
  'http://[::1]:51004/callback',
  'http://[0:0:0:0:0:0:0:1]:51004/callback?step=1',
  'http://[::ffff:127.0.0.1]:51004/callback',
  'http://localhost:51004/callback',
  'http://127.0.0.1:51004\\@evil.example/callback',
  'http://127.0.0.1:51004\n/callback',
])('no code goes to %j', async (redirect_uri) => {
  const answer = await authorize(redirect_uri)
  expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
})

it('a client with a secret needs no page, and has the port that it registered', async () => {
  expect(readRedirect(await authorize(loopback, { party: server }))['code']).toBeDefined()
  const elsewhere = await authorize('http://127.0.0.1:51004/callback', { party: server })
  expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([400, null])
})
