import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createJwtMiddleware, createMiddleware } from '../../lib/middleware/index.ts'

/* A product whose middleware cannot ask the service says so in its own log, and repeats nothing of a request there. */

const baseUrl = 'http://127.0.0.1:9'
const secret = 'lka_0123456789abcdefghijklmnopqrstuv'
const request = () =>
  new Request('https://films.example.com/', { headers: { authorization: `Bearer ${secret}` } })
const hello = () => new Response('hello')

let lines: string[] = []
beforeEach(() => {
  lines = []
  vi.spyOn(console, 'error').mockImplementation((...values: unknown[]) => void lines.push(values.join(' ')))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('createMiddleware', () => {
  it('names the address and the reason if nothing answers there', async () => {
    const answer = await createMiddleware({ baseUrl }).web(hello)(request())
    expect(answer.status).toBe(502)
    expect(lines).toEqual([expect.stringMatching(/^Latchkey at http:\/\/127\.0\.0\.1:9 .*requests get 502/)])
  })

  it.each([
    ['a refused connection', 'ECONNREFUSED'],
    ['an unknown host', 'ENOTFOUND'],
  ])('has the code of %s, and nothing else of the error', async (_, code) => {
    const cause = Object.assign(new Error(`${code} with ${secret}`), { code })
    const send = () => Promise.reject(new TypeError(`fetch failed for ${secret}`, { cause }))
    await createMiddleware({ baseUrl, fetch: send }).web(hello)(request())
    expect(lines).toEqual([expect.stringContaining(`(${code})`)])
    expect(lines.join()).not.toContain(secret)
  })

  it('writes one line for a hundred requests at once, and the next after a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const send = () => Promise.reject(new TypeError('fetch failed'))
    const handler = createMiddleware({ baseUrl, fetch: send }).web(hello)
    await Promise.all(Array.from({ length: 100 }, () => handler(request())))
    expect(lines).toHaveLength(1)
    vi.setSystemTime(Date.now() + 60_001)
    await handler(request())
    expect(lines).toHaveLength(2)
  })

  it('writes nothing when the service refuses a caller, or is busy', async () => {
    for (const [status, code] of [
      [401, 'not_authenticated'],
      [429, 'too_many_requests'],
      [503, 'temporarily_unavailable'],
    ] as const) {
      const send = async () => Response.json({ code, status }, { status })
      await createMiddleware({ baseUrl, fetch: send }).web(hello)(request())
    }
    expect(lines).toEqual([])
  })
})

describe('createJwtMiddleware', () => {
  const options = { baseUrl, audience: 'https://films.example.com' }

  it('says that a session is no access token, and asks nobody about it', async () => {
    const send = vi.fn(() => Promise.reject(new TypeError('fetch failed')))
    const session = new Request('https://films.example.com/', {
      headers: { authorization: 'Bearer lks_0123456789' },
    })
    const answer = await createJwtMiddleware({ ...options, fetch: send }).web(hello)(session)
    expect(answer.status).toBe(401)
    const { detail } = (await answer.json()) as { readonly detail: string }
    expect(detail).toContain('key of a session')
    expect([send.mock.calls.length, lines]).toEqual([0, []])
  })

  it('names the address if the keys cannot be read', async () => {
    const header = btoa(JSON.stringify({ alg: 'RS256', typ: 'at+jwt', kid: 'one' })).replaceAll('=', '')
    const token = `${header}.${btoa('{}').replaceAll('=', '')}.${'A'.repeat(342)}`
    const call = new Request('https://films.example.com/', { headers: { authorization: `Bearer ${token}` } })
    const answer = await createJwtMiddleware(options).web(hello)(call)
    expect(answer.status).toBe(503)
    expect(lines).toEqual([expect.stringContaining('Latchkey at http://127.0.0.1:9')])
  })
})
