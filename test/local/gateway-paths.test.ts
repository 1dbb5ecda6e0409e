import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { beforeEach, describe, expect, it } from 'vitest'
import { startGateway } from '../../local/gateway/gateway.ts'
import { createRouter } from '../../local/gateway/routes.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { sendBytes, sendExactly } from '../support/raw-http.ts'

/*
 * What an HTTP API does with paths. The first group was recorded on AWS: `local/gateway/request-head.ts` names the source.
 * The target of a route is the route itself.
 */

const routes = [
  'GET /items',
  'GET /items/mine',
  'GET /items/{id}',
  'GET /items/{id}/parts/{part}',
  'POST /items',
].map((routeKey) => ({ routeKey, target: routeKey }))
let events: APIGatewayProxyEventV2[]
const gateway = closeAfterTests(
  await startGateway({
    port: 0,
    routes,
    invoke: async (_, event) => {
      events.push(event)
      return { statusCode: 200, body: event.routeKey }
    },
  }),
)
beforeEach(() => {
  events = []
})

const get = (path: string) => sendExactly(gateway.port, path)

describe('a path as recorded on AWS', () => {
  it.each([
    ['/capture/plain', '/capture/plain'],
    ['/capture/space%20value', '/capture/space value'],
    ['/capture/question%3Fvalue', '/capture/question'],
    ['/capture/hash%23value', '/capture/hash#value'],
    ['/capture/slash%2Fvalue', '/capture/slash/value'],
    ['/capture/unicode-%CE%BB-%E4%B8%96%E7%95%8C', '/capture/unicode-λ-世界'],
    ['/capture/literal%252Fvalue', '/capture/literal/value'],
    ['/capture/literal%253Fvalue', '/capture/literal?value'],
    ['/capture/literal%2525value', '/capture/literal%value'],
  ])('%s has the raw path %s', async (sent, rawPath) => {
    await get(`${sent}?marker=a%3Fb%25c%23d`)
    expect(events).toMatchObject([
      { rawPath, rawQueryString: 'marker=a%3Fb%25c%23d', requestContext: { http: { path: rawPath } } },
    ])
  })

  it('is a 400 if it is malformed after the first decoding', async () => {
    expect(await get('/capture/percent%25done')).toMatchObject({
      status: 400,
      headers: { 'content-type': 'application/json' },
      body: '{"message":"Bad Request"}',
    })
    expect(events).toEqual([])
  })
})

describe('a route', () => {
  it.each([
    ['/%69tems', 'GET /items', undefined],
    ['/items%3Fid=7', 'GET /items', undefined],
    ['/items/%6Dine', 'GET /items/mine', undefined],
    ['/items%2Fmine', 'GET /items/mine', undefined],
    ['/items/a%2Fparts%2Fb', 'GET /items/{id}/parts/{part}', { id: 'a', part: 'b' }],
    ['/items/%256Dine', 'GET /items/{id}', { id: 'mine' }],
    ['/items/a%252Fb', 'GET /items/{id}', { id: 'a/b' }],
    ['/items/%252e%252e', 'GET /items/{id}', { id: '..' }],
    ['/items/a+b', 'GET /items/{id}', { id: 'a+b' }],
    ['/items/a%2Bb', 'GET /items/{id}', { id: 'a+b' }],
    ['/items/%00%0D%0A%F0%9F%94%91', 'GET /items/{id}', { id: '\u0000\r\n🔑' }],
    ['/items/%FF%C3', 'GET /items/{id}', { id: '\uFFFD\uFFFD' }],
    ['/items/{id}', 'GET /items/{id}', { id: '{id}' }],
    ['/items/..', 'GET /items/{id}', { id: '..' }],
  ])('for %s is %s', async (sent, routeKey, pathParameters) => {
    expect((await get(sent)).body).toBe(routeKey)
    expect(events[0]?.pathParameters).toEqual(pathParameters)
  })

  it.each([
    '/items%252Fmine',
    '/items%2F',
    '/items/',
    '//items',
    '/items//',
    '/./items',
    '/%2E/items',
    '/Items',
  ])('does not match %s', async (sent) => {
    expect((await get(sent)).body).toBe('$default')
  })

  it.each(['/items/%', '/items/%zz', '/items/%2', '/%u0041', '/items/%25', '/items/%2525%25'])(
    'is never asked for %s, which is malformed',
    async (sent) => {
      expect((await get(sent)).status).toBe(400)
      expect(events).toEqual([])
    },
  )

  it('is never asked for a path with bytes that must be encoded', async () => {
    const raw = await sendBytes(gateway.port, Buffer.from('GET /items/é HTTP/1.1\r\nHost: a\r\n\r\n', 'utf8'))
    expect(raw).toMatch(/^HTTP\/1\.1 400 /)
    expect(events).toEqual([])
  })

  it.each([
    ['GET /files/{path+}/parts', 'continues after a greedy parameter'],
    ['GET /items/{item}/owner', 'has {item} where others have {id}'],
    ['GET /items/{proxy+}', 'has {proxy+} where others have {id}'],
    ['GET /items/{id}/copies/{id}', 'has two parameters with one name'],
    ['GET /items/{item}', 'There are two routes'],
  ])('%s is refused beside the others, as by API Gateway', async (routeKey, reason) => {
    const all = [...routes, { routeKey, target: 'other' }]
    await expect(startGateway({ port: 0, routes: all, invoke: async () => undefined })).rejects.toThrow(
      reason,
    )
  })
})

describe('a greedy route', () => {
  const find = createRouter(
    [
      'ANY /users',
      'ANY /users/{id}/{proxy+}',
      'ANY /users/me/{proxy+}',
      'ANY /users/me/keys/{proxy+}',
      'ANY /users/{id}/sessions',
      'GET /users/me/keys/own',
    ].map((routeKey) => ({ routeKey, target: routeKey })),
  )

  it.each([
    ['GET', '/users', 'ANY /users', {}],
    ['GET', '/users/7/apps', 'ANY /users/{id}/{proxy+}', { id: '7', proxy: 'apps' }],
    ['GET', '/users/7/apps/8/', 'ANY /users/{id}/{proxy+}', { id: '7', proxy: 'apps/8/' }],
    ['GET', '/users/7/sessions', 'ANY /users/{id}/sessions', { id: '7' }],
    ['GET', '/users/7/sessions/8', 'ANY /users/{id}/{proxy+}', { id: '7', proxy: 'sessions/8' }],
    // A full match wins over a greedy one, even if that has more literal segments.
    ['GET', '/users/me/sessions', 'ANY /users/{id}/sessions', { id: 'me' }],
    ['GET', '/users/me/apps', 'ANY /users/me/{proxy+}', { proxy: 'apps' }],
    ['GET', '/users/me/keys', 'ANY /users/me/{proxy+}', { proxy: 'keys' }],
    ['GET', '/users/me/keys/8/parts', 'ANY /users/me/keys/{proxy+}', { proxy: '8/parts' }],
    ['GET', '/users/me/keys/own', 'GET /users/me/keys/own', {}],
    ['POST', '/users/me/keys/own', 'ANY /users/me/keys/{proxy+}', { proxy: 'own' }],
    ['GET', '/users/me/a%2Fb', 'ANY /users/me/{proxy+}', { proxy: 'a/b' }],
    ['GET', '/users/me/', '$default', {}],
    ['GET', '/users/', '$default', {}],
    ['GET', '/users/7', '$default', {}],
    ['GET', '/users//apps', '$default', {}],
  ])('takes %s %s as %s', (method, path, routeKey, pathParameters) => {
    expect(find(method, path)).toMatchObject({ routeKey, pathParameters })
  })
})
