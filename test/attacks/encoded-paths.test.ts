import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { greedySegment, isGreedy } from '../../lib/kernel/contract/path-pattern.ts'
import { listRoutes } from '../../lib/kernel/contract/routes.ts'
import { addLink, linksPath } from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { sendExactly } from '../support/raw-http.ts'
import { useService } from '../support/use-service.ts'

/*
 * The gateway decodes paths twice, on AWS and here. A handler that decoded once more would read another value than
 * the gateway, and a handler that expects an encoded value would read too little.
 */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access', 'media:access'] })
const port = Number(new URL(service.url).port)

const send = (method: string, path: string, bearer = admin.bearer) =>
  sendExactly(port, path, { method, headers: { authorization: `Bearer ${bearer}` } })

/** Percent-encodes every byte. */
const encode = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

describe('the value of a link in a path', () => {
  it('is found however often the gateway decodes it, but not if someone else would have to', async () => {
    const { id, token } = await addLink(service, admin.bearer)
    const once = encode(token)
    const twice = encode(once)
    for (const sent of [token, once, twice]) {
      const answer = await send('GET', `${linksPath}/get/${sent}`)
      expect(answer.status).toBe(200)
      expect(JSON.parse(answer.body)).toMatchObject({ id })
    }
    for (const sent of [encode(twice), `${token}%00`, `${token}%20`, `${token}%0A`, `%EF%BB%BF${token}`])
      expect((await send('GET', `${linksPath}/get/${sent}`)).status, sent).toBe(404)
  })

  it('may end with an encoded query, which is dropped as on AWS', async () => {
    const { token } = await addLink(service, admin.bearer)
    expect((await send('GET', `${linksPath}/get/${token}%3Fuser=0`)).status).toBe(200)
    expect((await send('GET', `${linksPath}/get/${token}?user=0`)).status).not.toBe(200)
  })
})

describe('an id in a path', () => {
  it('may be encoded', async () => {
    const answer = await send('GET', `/api/2/users/${encode(String(admin.user.id))}`)
    expect(JSON.parse(answer.body)).toMatchObject({ id: admin.user.id })
  })

  const routes = operations.filter(({ path }) => path.includes('{'))
  const hostile = [
    '%00',
    '1%00',
    '%0D%0AX-Evil:%201',
    '1%250D%250AX-Evil:%201',
    '%252e%252e%252f1',
    '1%252F..%252F2',
    '1%2F..%2F2',
    '%F0%9F%94%91',
    '%FF%FE',
    '%zz',
    `${'9'.repeat(4000)}`,
    '__proto__',
    '%22%3E%3Cscript%3E',
  ]

  it.each(hostile.map((value) => [value.slice(0, 40), value]))(
    '%s is refused by every operation',
    async (_, value) => {
      const answers = await Promise.all(
        routes.map(async ({ method, path }) => {
          const answer = await send(method, path.replaceAll(/\{\w+\}/g, String(value)))
          return { route: `${method} ${path}`, ...answer }
        }),
      )
      for (const { route, status, headers, body } of answers) {
        expect(status, route).toBeGreaterThanOrEqual(400)
        expect(status, route).toBeLessThan(500)
        expect(Object.keys(headers), route).not.toContain('x-evil')
        expect(body, route).not.toContain('<script>')
      }
    },
  )
})

describe('a path', () => {
  it('that is a route only after the second decoding is unknown', async () => {
    for (const path of ['/api%252F2/users', '/api/2/auth%252Flogin', '/api/2%252Fusers/me'])
      for (const method of ['GET', 'POST']) {
        const answer = await send(method, path)
        const isAllowed = operations.some(
          (operation) => operation.method === method && operation.path === path.replace('%252F', '/'),
        )
        expect(answer.status, `${method} ${path}`).toBe(isAllowed ? 404 : 405)
      }
  })

  it('with encoded letters has the next page under the plain path', async () => {
    const answer = await send('GET', '/api/2/%75sers?limit=1')
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link'])) ?? []
    expect(new URL(next).pathname).toBe('/api/2/users')
    expect((await send('GET', next.slice(service.url.length))).status).toBe(200)
  })

  it('is not in the log', async () => {
    await send('GET', '/api/2/users/%0Ainjected-line%22secret')
    await send('GET', '/%0Ainjected-line%22secret')
    expect(service.log.join('\n')).not.toContain('injected-line')
  })
})

describe('a path below the greedy route of a group', () => {
  const prefixes = listRoutes(operations)
    .filter(({ path }) => isGreedy(path))
    .map(({ path }) => path.replace(`/${greedySegment}`, '').replaceAll(/\{\w+\}/g, '7'))
  const up = '/..'.repeat(6)

  it.each([
    `${up}/api/2/users`,
    `${encode(up)}${encode('/api/2/users')}`,
    `${encode(encode(up))}/api/2/users`,
    `/${encode(encode('../../../api/2/users'))}`,
    '//api/2/users',
    '/./users',
    '/;/../../users',
    '/%5C..%5C..%5Cusers',
    '/%252Fapi%252F2%252Fusers',
    '%00/../users',
  ])('reaches nothing of another group by %s', async (rest) => {
    for (const prefix of prefixes) {
      const answer = await send('GET', prefix + rest)
      // A directory alone reads what is below its connection.
      const refused = prefix.startsWith('/scim/') ? [400, 401, 404, 405] : [400, 404, 405]
      expect(refused, `${prefix}: ${answer.status}`).toContain(answer.status)
      expect(answer.body, prefix).not.toContain('"permissions"')
    }
  })
})
