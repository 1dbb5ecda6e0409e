import { createHash } from 'node:crypto'
import { request as sendRequest } from 'node:http'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { problemKinds } from '../../lib/http/problem.ts'
import { reasons } from '../../lib/kernel/errors/reasons.ts'
import { markdownFiles } from '../docs/markdown.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ API_REFERENCE: 'read' })
const html: string = (await service.client('GET', '/docs')).text

// As a reader does, who follows each link of the navigation.
const paths = [...html.matchAll(/ href="(\/docs[^"#]*)/g)].map(([, path = '']) => path)
/** The pages by their path. */
const pages = new Map<string, string>()
for (const path of new Set(paths)) pages.set(path, (await service.client('GET', path)).text)
const isGuide = (path: string): boolean => path.startsWith('/docs/guides/')
const pageOf = (path: string): string => pages.get(path) ?? ''

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

describe('the content of the pages', () => {
  it('explains every operation, error code, reason and model at an address of its own', async () => {
    const document = (await service.client('GET', '/api/2/openapi.json')).body
    const ids = new Set([...pages.values()].flatMap(idsIn))
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
    const places = [...pages].flatMap(([path, page]) => idsIn(page).map((id) => `${path}#${id}`))
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([])
    for (const [path, page] of pages) {
      const links = [...page.matchAll(/ href="((?:\/docs[^"#]*)?#[^"]+)"/g)].map(([, link = '']) =>
        link.startsWith('#') ? `${path}${link}` : link,
      )
      expect([...new Set(links)].filter((link) => !places.includes(link))).toEqual([])
    }
  })

  it('gives each page and each section a name of its own, so that people can find it by the name', () => {
    const titlesIn = (pattern: RegExp): readonly string[] =>
      [...pages.values()].flatMap((page) => [...page.matchAll(pattern)].map(([, title = '']) => title.trim()))
    const titles = titlesIn(/ id="[^"]+--title"[^>]*>([^<]+)/g)
    expect(titles.length).toBeGreaterThan(operations.length)
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([])
    const names = titlesIn(/<title>([^<]*)<\/title>/g)
    expect(new Set(names).size).toBe(pages.size)
  })

  it('shows calls to this service', () => {
    expect(pageOf('/docs/tickets')).toContain(`curl &#39;${service.url}/api/2/auth/ticket&#39;`)
    // Guides also tell how to start one on a machine of one's own.
    const others = [...pages].filter(([path, page]) => !isGuide(path) && page.includes('localhost:3000'))
    expect(others.map(([path]) => path)).toEqual([])
  })

  it('shows every guide of the project, with links that stay in the documentation', () => {
    const files = markdownFiles().filter((file) => file.startsWith('docs/'))
    expect([...pages.keys()].filter(isGuide)).toHaveLength(files.length)
    const page = pageOf('/docs/guides/sessions')
    expect(page).toContain('<title>Sessions – Guide</title>')
    expect(page).toContain('href="/docs/guides/company-sign-in"')
    expect(page.match(/<details data-page="[^"]*" open/g)).toEqual([
      '<details data-page="guides/Concepts" open',
    ])
    for (const [path, text] of pages) expect([path, /\]\([^)]*\.md/.test(text)]).toEqual([path, false])
  })

  it('opens the group of a page in its navigation, and no other', () => {
    expect(pageOf('/docs/tickets').match(/<details data-page="[^"]*" open/g)).toEqual([
      '<details data-page="tickets" open',
    ])
  })

  it.each([
    'nothing',
    '__proto__',
    'constructor',
    'Tickets',
    'tickets%00',
    'guides/x',
    'guides/__proto__',
    'guides/..',
  ])('has no page /docs/%s', async (topic) => {
    const { status, body } = await service.client('GET', `/docs/${topic}`)
    expect([404, 400]).toContain(status)
    expect(['not_found', 'invalid_request']).toContain(body.code)
  })

  it('is found by its words, at addresses that exist', async () => {
    const { body, headers } = await service.client('GET', '/docs/search.json')
    const places = new Set([...pages].flatMap(([path, page]) => idsIn(page).map((id) => `${path}#${id}`)))
    const entries: readonly { href: string; kind: string }[] = body.entries
    expect(entries.filter(({ href }) => !places.has(href) && !pages.has(href))).toEqual([])
    expect(new Set(entries.map(({ href }) => href)).size).toBe(entries.length)
    const kinds = new Set(entries.map(({ kind }) => kind))
    expect([...kinds].sort()).toEqual([
      'Error code',
      'Field',
      'Guide',
      'Header',
      'Model',
      'Operation',
      'Parameter',
      'Reason',
      'Topic',
    ])
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await service.client('GET', '/docs/search.json', { headers: known })).status).toBe(304)
    expect(gzipSync(JSON.stringify(body)).length).toBeLessThanOrEqual(286 * 1024)
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
  it('has at most 136 KB with gzip', () => {
    const sizes = [...pages].map(([path, page]) => [path, gzipSync(page).length] as const)
    expect(sizes.filter(([, size]) => size > 136 * 1024)).toEqual([])
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
