import { afterEach, describe, expect, it, vi } from 'vitest'
import { createJwtMiddleware } from '../../lib/middleware/create-jwt-middleware.ts'
import { createMiddleware } from '../../lib/middleware/identify-user.ts'
import type { Requirement } from '../../lib/middleware/requirement.ts'
import { hasPermission } from '../../lib/middleware/user.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Both middlewares take the same requirements, so that a product can exchange one for the other. */

const audience = 'https://films.example.com'
const service = await useService({ JWT_AUDIENCES: audience })
const viewer = await addSignedIn(service, { permissions: ['users:view'] })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const body = { name: 'everything' }
const apiToken: string = (await service.client('POST', '/api/2/api-tokens', { bearer: viewer.bearer, body }))
  .body.token
afterEach(() => vi.useRealTimers())

const createToken = async (bearer: string): Promise<string> =>
  (await service.client('POST', '/api/2/auth/jwt', { bearer, body: { audience } })).body.token

const requestOf = (credential: string) => ({
  method: 'GET',
  getHeader: (name: string) => (name === 'authorization' ? `Bearer ${credential}` : undefined),
})

/** The status and the challenge that a caller gets, from the session or from a JWT for it. */
const callBoth = async (credential: string, requirement: Requirement): Promise<readonly unknown[]> => {
  const token = await createToken(credential)
  const answers = [
    createMiddleware({ baseUrl: service.url }).identifyUser(requestOf(credential), requirement),
    createJwtMiddleware({ baseUrl: service.url, audience }).identifyUser(requestOf(token), requirement),
  ].map((answer) =>
    answer.then(
      () => 200,
      ({ status, headers }) => [status, headers['www-authenticate']],
    ),
  )
  const [bySession, byToken] = await Promise.all(answers)
  expect(bySession).toEqual(byToken)
  return [bySession].flat()
}

const multiFactor = 'urn:latchkey:acr:multi-factor'
const singleFactor = 'urn:latchkey:acr:single-factor'
const tooWeak = 'Bearer error="insufficient_user_authentication"'

describe('a session and a JWT meet the same requirements', () => {
  it.each([
    [{}, [200]],
    [{ permission: 'users:view' }, [200]],
    [{ permission: 'users:manage' }, [403, 'Bearer error="insufficient_scope"']],
    [{ scope: 'films.read' }, [403, 'Bearer error="insufficient_scope", scope="films.read"']],
    [{ acr: singleFactor }, [200]],
    [{ acr: multiFactor }, [401, `${tooWeak}, acr_values="${multiFactor}"`]],
    [{ maxAgeSeconds: 300 }, [200]],
    [{ maxAgeSeconds: -3_000 }, [401, `${tooWeak}, max_age="-3000"`]],
    [{ permission: 'users:manage', acr: multiFactor }, [403, 'Bearer error="insufficient_scope"']],
    [
      { permission: 'users:view', acr: multiFactor, maxAgeSeconds: 300 },
      [401, `${tooWeak}, acr_values="${multiFactor}", max_age="300"`],
    ],
  ])('%j', async (requirement, expected) => {
    expect(await callBoth(viewer.bearer, requirement)).toEqual(expected)
  })

  it('an old sign-in is refused, and a new one with the same session is accepted', async () => {
    const person = await addSignedIn(service)
    const requirement = { maxAgeSeconds: 300 }
    expect(await callBoth(person.bearer, requirement)).toEqual([200])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400_000 })
    expect(await callBoth(person.bearer, requirement)).toEqual([401, `${tooWeak}, max_age="300"`])
    const again = { bearer: person.bearer, body: { password: person.password } }
    const { status } = await service.client('POST', '/api/2/auth/reauthenticate', again)
    expect(status).toBeLessThan(300)
    expect(await callBoth(person.bearer, requirement)).toEqual([200])
  })

  it('an API token proves no sign-in, however new it is', async () => {
    expect(await callBoth(apiToken, { permission: 'users:view' })).toEqual([200])
    expect((await callBoth(apiToken, { maxAgeSeconds: 300 }))[0]).toBe(401)
    expect((await callBoth(apiToken, { acr: singleFactor }))[0]).toBe(401)
  })

  it('an administrator has every permission, but no scope and no stronger sign-in', async () => {
    expect(await callBoth(admin.bearer, { permission: 'films:edit' })).toEqual([200])
    expect((await callBoth(admin.bearer, { scope: 'films.read' }))[0]).toBe(403)
    expect((await callBoth(admin.bearer, { acr: multiFactor }))[0]).toBe(401)
  })
})

it('a route that asks the service notices the end of a session before the cache does', async () => {
  const person = await addSignedIn(service)
  const { identifyUser } = createMiddleware({ baseUrl: service.url, cacheMs: 60_000 })
  const request = requestOf(person.bearer)
  await identifyUser(request, { asksService: true })
  await service.client('POST', '/api/2/auth/logout', { bearer: person.bearer })
  await identifyUser(request)
  await expect(identifyUser(request, { asksService: true })).rejects.toMatchObject({ status: 401 })
  await expect(identifyUser(request)).rejects.toMatchObject({ status: 401 })
})

describe('hasPermission', () => {
  it.each([
    ['users:view', 'users:view:all'],
    ['users:view:all', 'users:view'],
    ['users', 'users:view'],
    ['users:', 'users:view'],
    ['users:vie', 'users:view'],
    ['users:view', 'users:views'],
    ['Users:view', 'users:view'],
    ['users:view ', 'users:view'],
    ['*', 'users:view'],
    ['users:*', 'users:view'],
    ['system:admin', 'users:view'],
    ['system:admin-access:none', 'users:view'],
    ['my-system:admin-access', 'users:view'],
    ['', 'users:view'],
    ['users:view', ''],
  ])('is false for a user with %j where %j is needed', (own, needed) => {
    expect(hasPermission({ permissions: [own] }, needed)).toBe(false)
  })

  it('is true for the same permission, and for an administrator', () => {
    expect(hasPermission({ permissions: ['films:view', 'users:view'] }, 'users:view')).toBe(true)
    expect(hasPermission({ permissions: ['system:admin-access'] }, 'users:view')).toBe(true)
    expect(hasPermission({ permissions: [] }, 'users:view')).toBe(false)
  })
})
