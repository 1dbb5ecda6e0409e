import { describe, expect, it } from 'vitest'
import { addSignedIn, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({
  SIGN_IN_URL: 'https://media.example.com/sign-in',
  ALLOWED_ORIGINS: 'https://media.example.com',
})

const meStatus = async (bearer: string) => (await service.client('GET', '/api/2/users/me', { bearer })).status
const cleared = [
  'latchkey=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0',
  'latchkey-marked-session=; Path=/; HttpOnly; Max-Age=0',
]

describe('logout', () => {
  it('ends the session immediately and clears the cookie, while other sessions continue', async () => {
    const person = await addSignedIn(service)
    const other = await signIn(service, person)
    const answer = await service.client('POST', '/api/2/auth/logout', { bearer: person.bearer })
    expect(answer.status).toBe(204)
    expect(answer.text).toBe('')
    expect(answer.cookies).toEqual(cleared)
    expect(await meStatus(person.bearer)).toBe(401)
    expect(await meStatus(other)).toBe(200)
  })

  it('responds 204 without a credential, with an ended session, and with an invalid one', async () => {
    const { bearer } = await addSignedIn(service)
    await service.client('POST', '/api/2/auth/logout', { bearer })
    for (const options of [{}, { bearer }, { bearer: 'nonsense' }, { headers: { cookie: 'latchkey=%00' } }]) {
      const answer = await service.client('POST', '/api/2/auth/logout', options)
      expect(answer.status).toBe(204)
      expect(answer.cookies).toEqual(cleared)
    }
  })

  it('accepts an empty body with a JSON content type', async () => {
    const { bearer } = await addSignedIn(service)
    const headers = { 'content-type': 'application/json' }
    expect((await service.client('POST', '/api/2/auth/logout', { bearer, headers })).status).toBe(204)
    expect(await meStatus(bearer)).toBe(401)
  })

  it('responds 204 to all of 20 concurrent requests', async () => {
    const { bearer } = await addSignedIn(service)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.client('POST', '/api/2/auth/logout', { bearer })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    expect(await meStatus(bearer)).toBe(401)
  })
})

describe('the logout page', () => {
  it('redirects browsers to the sign-in page, and responds 204 to other clients', async () => {
    const { bearer } = await addSignedIn(service)
    const page = await service.client('GET', '/api/2/auth/logout', {
      bearer,
      headers: { accept: 'text/html,application/xhtml+xml' },
    })
    expect(page.status).toBe(303)
    expect(page.headers.get('location')).toBe('https://media.example.com/sign-in')
    expect(page.cookies).toEqual(cleared)
    expect(await meStatus(bearer)).toBe(401)
    expect((await service.client('GET', '/api/2/auth/logout', { headers: { accept: '*/*' } })).status).toBe(
      204,
    )
  })
})

describe('a session cookie', () => {
  const withCookie = (bearer: string, method: string, path: string, headers: Record<string, string>) =>
    service.client(method, path, { headers: { cookie: `latchkey=${bearer}`, ...headers } })

  it('is rejected for changes if another site or an unknown origin sends it', async () => {
    const { bearer } = await addSignedIn(service)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', origin: service.url },
      {},
    ]) {
      for (const [method, path] of [
        ['POST', '/api/2/auth/logout'],
        ['POST', '/api/2/auth/ticket'],
      ] as const) {
        const answer = await withCookie(bearer, method, path, headers)
        expect(answer.status).toBe(403)
        expect(answer.body.code).toBe('permission_denied')
      }
      expect((await withCookie(bearer, 'GET', '/api/2/users/me', headers)).status).toBe(200)
    }
  })

  it('cannot be signed out by a link or form on another site', async () => {
    const { bearer } = await addSignedIn(service)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', referer: 'https://evil.example/https://media.example.com/' },
      { 'sec-fetch-site': 'cross-site', referer: 'https://media.example.com.evil.example/' },
      { 'sec-fetch-site': 'cross-site', referer: 'null' },
      { origin: 'https://evil.example' },
    ])
      expect((await withCookie(bearer, 'GET', '/api/2/auth/logout', headers)).status).toBe(403)
    // The product may link to the logout page, but it may not send a form.
    const form = { 'sec-fetch-site': 'cross-site', referer: 'https://media.example.com/' }
    expect((await withCookie(bearer, 'POST', '/api/2/auth/logout', form)).status).toBe(403)
    expect(await meStatus(bearer)).toBe(200)
  })

  it.each([
    ['a page of the product', { 'sec-fetch-site': 'cross-site', referer: 'https://media.example.com/' }],
    ['a page of the service', { 'sec-fetch-site': 'same-origin' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['a page in a browser that sends no origin headers', {}],
  ])('can be signed out by a link on %s', async (_, headers) => {
    const { bearer } = await addSignedIn(service)
    expect((await withCookie(bearer, 'GET', '/api/2/auth/logout', headers)).status).toBe(204)
    expect(await meStatus(bearer)).toBe(401)
  })

  it('is accepted for changes from pages of the service', async () => {
    const { bearer } = await addSignedIn(service)
    expect((await withCookie(bearer, 'POST', '/api/2/auth/ticket', { origin: service.url })).status).toBe(200)
    const own = { 'sec-fetch-site': 'same-origin' }
    expect((await withCookie(bearer, 'POST', '/api/2/auth/logout', own)).status).toBe(204)
    expect(await meStatus(bearer)).toBe(401)
  })

  it('is ignored if it is duplicated, or if there is an Authorization header', async () => {
    const [first, second] = [await addSignedIn(service), await addSignedIn(service)]
    const twice = { cookie: `latchkey=${first.bearer}; latchkey=${second.bearer}` }
    expect((await service.client('GET', '/api/2/users/me', { headers: twice })).status).toBe(401)
    const cookie = { cookie: `latchkey=${first.bearer}` }
    const both = await service.client('GET', '/api/2/users/me', { bearer: second.bearer, headers: cookie })
    expect(both.body.id).toBe(second.user.id)
    const invalid = await service.client('GET', '/api/2/users/me', { bearer: 'nonsense', headers: cookie })
    expect(invalid.status).toBe(401)
  })
})
