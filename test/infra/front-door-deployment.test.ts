import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { generatedSecretOf } from '../runner/generated-secrets.ts'
import { getFrom } from '../support/addressed-client.ts'
import { type Answer, clientOf, type RequestOptions } from '../support/client.ts'
import type { LoopbackServer } from '../support/listen-on-loopback.ts'
import { behaviorsOf, originHeadersOf, startCloudFront } from './cloud-front.ts'
import { adminPassword, type Deployment, deploy } from './deployment.ts'
import { shareSynthesis } from './synthesis.ts'

/* Runs the stack with a front door behind a stand-in of CloudFront, in the middle of a rotation of the secret. */

const { template, assetOf, ...synthesis } = await shareSynthesis('frontDoor')
const header = 'latchkey-origin-secret'
const host = 'auth.example.com'

let deployment: Deployment
let door: LoopbackServer
let formerDoor: LoopbackServer
const through = (method: string, path: string, options?: RequestOptions): Promise<Answer> =>
  clientOf(door.url)(method, path, options)
const past = (method: string, path: string, options?: RequestOptions): Promise<Answer> =>
  clientOf(deployment.url)(method, path, options)
const signIn = (options: RequestOptions = {}): Promise<Answer> =>
  through('POST', '/api/2/auth/login', {
    body: { username: 'admin', password: adminPassword },
    ...options,
  })

beforeAll(async () => {
  deployment = await deploy({ template, assetOf, ...synthesis }, process.env['DYNAMODB_ENDPOINT'] ?? '')
  const originHeaders = originHeadersOf(template)
  door = await startCloudFront(deployment.url, { host, originHeaders, behaviors: behaviorsOf(template) })
  const former = Object.keys(template.Resources).find((id) => id.includes('OriginSecret1')) ?? ''
  formerDoor = await startCloudFront(deployment.url, {
    host,
    originHeaders: { [header]: generatedSecretOf(former) },
  })
  const [, firstAdmin] = [...deployment.functions].find(([id]) => id.startsWith('AuthFirstAdmin')) ?? []
  await firstAdmin?.invoke({
    RequestType: 'Create',
    ResponseURL: deployment.responseUrl,
    RequestId: 'Create',
  })
})
afterAll(async () => {
  await Promise.all([door?.close(), formerDoor?.close()])
  await deployment?.close()
})

describe('through the front door', () => {
  it('users sign in with a cookie, and sign out from the pages of the service', async () => {
    const fromPage = { origin: `https://${host}`, 'sec-fetch-site': 'same-origin' }
    const answer = await signIn({ headers: fromPage })
    expect(answer.status).toBe(200)
    const [cookie = ''] = answer.cookies
    expect(cookie).toMatch(/^__Host-latchkey=.*; Secure/)
    const headers = { ...fromPage, cookie: cookie.split(';')[0] ?? '' }
    expect((await through('GET', '/api/2/users/me', { headers })).body.username).toBe('admin')
    expect((await through('POST', '/api/2/auth/logout', { headers })).status).toBe(204)
    expect((await through('GET', '/api/2/users/me', { headers })).status).toBe(401)
  })

  it('answers keep the headers of the service', async () => {
    const { headers } = await through('GET', '/')
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it('sessions have the address of the viewer instead of those in headers', async () => {
    const headers = {
      'CloudFront-Viewer-Address': '198.51.100.1:1234',
      'X-Forwarded-For': '198.51.100.2',
      'Latchkey-Origin-Secret': 'of the viewer',
      Forwarded: 'for=198.51.100.3',
    }
    const { body } = await signIn({ headers })
    const sessions = await through('GET', '/api/2/auth/sessions', { bearer: body.session_key })
    expect(sessions.body).toMatchObject([{ ip: '127.0.0.1' }])
    await getFrom('127.4.4.4', `${door.url}/unknown`)
    const [, unmatched] = [...deployment.functions].find(([id]) => id.startsWith('AuthUnmatched')) ?? []
    expect(unmatched?.log()).toContain('"address":"127.4.4.4"')
  })

  it('SAML responses of 200 KB and requests of passkeys arrive', async () => {
    const raw = `SAMLResponse=${encodeURIComponent(Buffer.alloc(140_000, '<onload=').toString('base64'))}&RelayState=x`
    expect(raw.length).toBeGreaterThan(180_000)
    const saml = await through('POST', '/api/2/auth/saml/1/assertion', {
      raw,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(saml.body.code).toMatch(/not_found|invalid_request|login_failed/)
    expect((await through('POST', '/api/2/auth/passkeys/options', { body: {} })).status).toBe(200)
  })

  it('is open with the former secret, too, while CloudFront changes to the new one', async () => {
    const { headers } = await clientOf(formerDoor.url)('GET', '/api/2/users/me')
    expect(headers.get('www-authenticate')).toBe('Bearer')
    const wrongDoor = await startCloudFront(deployment.url, { host, originHeaders: { [header]: 'wrong' } })
    expect((await clientOf(wrongDoor.url)('GET', '/api/2/users/me')).status).toBe(403)
    await wrongDoor.close()
  })
})

describe('the files of the pages', () => {
  /** How many requests the function of the pages has got. */
  const countRequests = (): number => {
    const [, pages] = [...deployment.functions].find(([id]) => id.startsWith('AuthPages')) ?? []
    return pages?.log().split('"event":"request"').length ?? 0
  }
  const readFiles = async (): Promise<readonly string[]> => {
    const { text } = await through('GET', '/')
    return [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  }

  it('run no function for the second person who opens a page for the first time', async () => {
    const openColdPage = async () => {
      const before = countRequests()
      const files = await readFiles()
      const answers = await Promise.all(
        files.map((path) => through('GET', path, { headers: { 'accept-encoding': 'br' } })),
      )
      expect(answers.map(({ status }) => status)).toEqual(files.map(() => 200))
      return {
        texts: answers.map(({ text }) => text),
        runs: countRequests() - before,
        cached: answers.map(({ headers }) => headers.get('x-cache')),
      }
    }
    const first = await openColdPage()
    const second = await openColdPage()
    expect([first.runs, second.runs]).toEqual([3, 1])
    expect(second.cached).toEqual(['Hit from cloudfront', 'Hit from cloudfront'])
    expect(second.texts).toEqual(first.texts)
  })

  it('cannot be changed by a viewer, for whom they are kept first', async () => {
    const [path = ''] = await readFiles()
    const hostile = {
      cookie: 'language=ar',
      origin: 'https://evil.example',
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'accept-language': 'ar',
      'if-none-match': '*',
      range: 'bytes=0-1',
      'latchkey-client-address': '198.51.100.1',
      'x-http-method-override': 'DELETE',
    }
    const first = await through('GET', `${path}?a=1&a=2`, { headers: hostile })
    const next = await through('GET', path, { headers: { 'accept-encoding': 'gzip' } })
    for (const { status, headers } of [first, next]) {
      expect([status, headers.get('content-encoding')]).toEqual([200, 'gzip'])
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
    expect(next.headers.get('x-cache')).toBe('Hit from cloudfront')
    const plain = await through('GET', path, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(new Set([first.text, next.text, plain.text]).size).toBe(1)
  })

  it('that do not exist are asked for again, and other methods are refused', async () => {
    for (const _ of [1, 2]) {
      const { status, headers } = await through('GET', '/assets/js/en-00000000/unknown.js')
      expect([status, headers.get('x-cache')]).toEqual([404, 'Miss from cloudfront'])
    }
    const [path = ''] = await readFiles()
    expect((await through('DELETE', path)).status).toBe(405)
  })
})

describe('past the front door', () => {
  it('every function refuses requests', async () => {
    const { body } = await signIn()
    const requests = [...operations, { id: 'unmatched', method: 'GET', path: '/unknown' }]
    for (const { id, method, path } of requests) {
      const options = { bearer: body.session_key, ...(method === 'GET' ? {} : { body: {} }) }
      const answer = await past(method, path.replaceAll(/\{\w+\}/g, '1'), options)
      expect({ id, status: answer.status, body: answer.body }).toEqual({
        id,
        status: 403,
        body: { message: 'Forbidden' },
      })
    }
    expect((await through('GET', '/api/2/users/me', { bearer: body.session_key })).status).toBe(200)
  })
})

it('needs no other permissions, and writes the secrets to no log', () => {
  expect(deployment.takeDenials()).toEqual([])
  const logs = [...deployment.functions.values()].map((running) => running.log()).join('')
  expect(logs).toContain('request.refused')
  expect(logs).not.toContain('generated-')
})
