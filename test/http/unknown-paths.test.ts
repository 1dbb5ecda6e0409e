import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { listMethods } from '../../lib/kernel/contract/operation.ts'
import { greedySegment, isGreedy } from '../../lib/kernel/contract/path-pattern.ts'
import { listRoutes } from '../../lib/kernel/contract/routes.ts'
import { sendExactly } from '../support/raw-http.ts'
import { useService } from '../support/use-service.ts'

const origin = 'https://media.example.com'
const { url } = await useService({ ALLOWED_ORIGINS: origin })

/** A path below each greedy route that no operation has. */
const unknown = listRoutes(operations)
  .filter(({ path }) => isGreedy(path))
  .map(({ path }) => path.replace(greedySegment, 'no-such/path/of/anything').replaceAll(/\{\w+\}/g, '7'))
const send = (path: string, init?: RequestInit) => fetch(url + path, { redirect: 'manual', ...init })

describe('a path that nothing has, below a route of a group', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])(
    'is not found with %s, as everywhere else',
    async (method) => {
      const elsewhere = await send('/api/2/no-such/path', { method })
      for (const path of unknown) {
        const answer = await send(path, { method })
        expect(answer.status, path).toBe(404)
        const [body, expected] = [await answer.text(), await elsewhere.clone().text()]
        expect(body.replace(/"request_id":"[^"]+"/, '')).toBe(expected.replace(/"request_id":"[^"]+"/, ''))
        expect(namesOf(answer)).toEqual(namesOf(elsewhere))
      }
    },
  )

  it('has a page for people in a browser', async () => {
    for (const path of unknown) {
      const answer = await send(path, { headers: { accept: 'text/html' } })
      expect(answer.status, path).toBe(404)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
  })

  it('answers preflight requests of allowed origins alone', async () => {
    const ask = (path: string, from: string) =>
      send(path, { method: 'OPTIONS', headers: { origin: from, 'access-control-request-method': 'PUT' } })
    for (const path of ['/api/2/no-such/path', ...unknown]) {
      const allowed = await ask(path, origin)
      expect([path, allowed.status]).toEqual([path, 204])
      const refused = await ask(path, 'https://evil.example.com')
      expect([path, refused.status, refused.headers.has('access-control-allow-origin')]).toEqual([
        path,
        404,
        false,
      ])
    }
  })

  it.each([
    '/api/2/groups/',
    '/api/2/groups//',
    '/api/2/groups/7/',
    '/api/2/groups/7//members',
    '/oauth2/',
    '/oauth2/token/',
  ])('is not found as %s', async (path) => {
    expect((await sendExactly(Number(new URL(url).port), path)).status).toBe(404)
  })
})

describe('a path that is encoded twice', () => {
  it.each([
    // One segment for API Gateway, and two for a function, which decides by what it has itself.
    '/api/2/groups/7%252Fmembers%252Fx',
    '/api/2/users/me/7%252Fsessions',
    '/api/2/organizations/7%252Fx/members',
    '/oauth2/%252e%252e/api/2/users',
    '/oauth2/..%252Fapi%252F2%252Fusers',
  ])('%s reaches no operation', async (path) => {
    expect((await sendExactly(Number(new URL(url).port), path)).status).toBe(404)
  })
})

it('refuses a method that a path lacks with those that it has, for each operation', async () => {
  for (const { path: pattern } of operations) {
    const path = pattern.replaceAll(/\{\w+\}/g, '7')
    const methods = operations.filter((one) => one.path === pattern).flatMap(listMethods)
    const answer = await send(path, { method: 'OPTIONS' })
    expect([path, answer.status, answer.headers.get('allow')]).toEqual([
      path,
      405,
      [...new Set(methods)].sort().join(', '),
    ])
  }
})

const namesOf = ({ headers }: Response) =>
  [...headers.keys()]
    .filter((name) => !/^(date|content-length|connection|keep-alive|x-request-id|apigw)/.test(name))
    .sort()
