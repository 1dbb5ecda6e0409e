import { createHash } from 'node:crypto'
import { request as sendRequest } from 'node:http'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../lib/contract/operations.ts'
import { reasons } from '../../lib/errors/reasons.ts'
import { problemKinds } from '../../lib/http/problem.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let html: string
beforeAll(async () => {
  service = await startService({ API_REFERENCE: 'read' })
  html = (await service.client('GET', '/docs')).text
})
afterAll(() => service.close())

/** Returns a response with the bytes as they are sent. */
const fetchRaw = (headers: Readonly<Record<string, string>>) =>
  new Promise<{ status: number; headers: Readonly<Record<string, unknown>>; body: Buffer }>((done, fail) => {
    sendRequest(`${service.url}/docs`, { headers }, async (response) => {
      const body = Buffer.concat(await response.toArray())
      done({ status: response.statusCode ?? 0, headers: response.headers, body })
    })
      .on('error', fail)
      .end()
  })
const idsIn = (page: string): readonly string[] =>
  [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)

describe('the content of the page', () => {
  it('explains every operation, error code, reason and model at an address of its own', async () => {
    const document = (await service.client('GET', '/api/2/openapi.json')).body
    const ids = new Set(idsIn(html))
    const models = Object.keys(document.components.schemas).filter((name) => !/.Problem$/.test(name))
    const expected = [
      ...operations.map(({ id }) => id),
      ...Object.keys(problemKinds).map((code) => `code-${code}`),
      ...[...reasons.keys()].map((reason) => `reason-${reason}`),
      ...models,
    ]
    expect(expected.filter((id) => !ids.has(id))).toEqual([])
    expect(ids).toContain('AuthLoginEndpointRequest.username')
    expect(ids).toContain('get_all_users.limit')
  })

  it('uses each address once, and links to none that is missing', () => {
    const ids = idsIn(html)
    const links = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id = '']) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    expect([...new Set(links)].filter((id) => !ids.includes(id))).toEqual([])
  })

  it('gives each section a name of its own, so that people can find it by the name', () => {
    const titles = [...html.matchAll(/ id="[^"]+--title"[^>]*>([^<]+)/g)].map(([, title = '']) =>
      title.trim(),
    )
    expect(titles.length).toBeGreaterThan(operations.length)
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([])
  })

  it('shows calls to this service', () => {
    expect(html).toContain(`curl &#39;${service.url}/api/2/auth/ticket&#39;`)
    expect(html).not.toContain('localhost:3000')
  })

  it('names OpenID Connect first for products that let users sign in', () => {
    const [, row = ''] = /let users sign in([\s\S]*?)<\/tr>/.exec(html) ?? []
    expect(row.replaceAll(/<[^>]+>/g, '')).toMatch(
      /OpenID Connect.*create_oidc_client.*get_openid_configuration/s,
    )
  })

  it('explains a ticket, an access link and paging', () => {
    const explain = (heading: string): string => {
      const [, section = ''] = html.split(`<h2 id="guide-${heading}">`)
      return section.split('<h2')[0]?.replaceAll(/<[^>]+>/g, '') ?? ''
    }
    expect(explain('tickets')).toMatch(/create_auth_ticket[\s\S]*check_auth_ticket/)
    expect(explain('access-links')).toMatch(/get_access_token_by_value[\s\S]*redeem_access_token/)
    expect(explain('lists')).toMatch(/rel=&quot;next&quot;/)
  })
})

describe('the protection of the page', () => {
  it('allows its own script and styles only, and loads nothing', async () => {
    const { headers } = await service.client('GET', '/docs')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|\*|http/)
    for (const tag of ['script', 'style']) {
      const texts = [...html.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, 'g'))]
      const hashes = texts.map(([, text = '']) => createHash('sha256').update(text).digest('base64'))
      expect(hashes).toHaveLength(1)
      expect(policy).toContain(`${tag}-src 'sha256-${hashes[0]}'`)
    }
    expect(html).not.toMatch(/<[^>]+ (on\w+|style|src)=/)
  })

  it('offers no calls unless the setting permits them', () => {
    expect(html).not.toContain('data-calls')
  })
})

describe('the transfer of the page', () => {
  it('has at most 165 KB with gzip', () => {
    expect(gzipSync(html).length).toBeLessThanOrEqual(165 * 1024)
  })

  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, GZIP;q=0.5', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
    ['', undefined, (bytes: Buffer) => bytes],
  ])('answers Accept-Encoding %j with the encoding %s', async (accepted, encoding, decode) => {
    const { status, headers, body } = await fetchRaw({ 'accept-encoding': accepted })
    expect(status).toBe(200)
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers['vary']).toBe('accept-encoding')
    expect(Number(headers['content-length'])).toBe(body.length)
    expect(decode(body).toString()).toBe(html)
  })

  it('is confirmed without a body if the browser has it', async () => {
    const first = await fetchRaw({ 'accept-encoding': 'br' })
    const etag = String(first.headers['etag'])
    expect(first.headers['cache-control']).toBe('no-cache')
    for (const known of [etag, `"other", ${etag}`]) {
      const { status, headers, body } = await fetchRaw({ 'if-none-match': known })
      expect(status).toBe(304)
      expect(headers['etag']).toBe(etag)
      expect(body).toHaveLength(0)
    }
    expect((await fetchRaw({ 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('ignores its query', async () => {
    const { status, text } = await service.client('GET', '/docs?utm_source=x')
    expect(status).toBe(200)
    expect(text).toBe(html)
  })
})
