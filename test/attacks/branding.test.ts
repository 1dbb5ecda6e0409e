import { createHash, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { readImage } from '../../lib/features/branding/read-logo.ts'
import { operations } from '../../lib/features/operations.ts'
import { brandedProductsMax, brandingCacheMs, formerLogosMax } from '../../lib/kernel/limits/limits.ts'
import { brandingKey } from '../../lib/kernel/table/keys/keys.ts'
import { escapeHtml } from '../../lib/kernel/util/escape-html.ts'
import { makeGif, makeJpeg, makePng, makeWebp } from '../support/images.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

vi.useFakeTimers({ toFake: ['Date'] })

/* What an administrator, or a thief of their session, could do to the users of pages and emails by the branding. */

const service = await useService({
  ALLOWED_ORIGINS: 'https://shop.example',
  LINK_URL: 'Shop=https://shop.example/, Cinema=https://shop.example/cinema',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
afterAll(() => vi.useRealTimers())
afterEach(() => service.services.table.transact([{ delete: brandingKey }]))

const path = '/api/2/branding'
const call = (method: string, target: string, body?: object | string) =>
  service.client(method, target, {
    bearer: admin.bearer,
    ...(typeof body === 'string' ? { raw: body, headers: { 'content-type': 'application/json' } } : { body }),
  })
const patch = (body: object | string) => call('PATCH', path, body)
const upload = (data: Buffer | string, contentType = 'image/png') =>
  call('PUT', `${path}/logo`, {
    content_type: contentType,
    data: typeof data === 'string' ? data : data.toString('base64'),
  })
const get = async () => (await service.client('GET', path)).body
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('a name', () => {
  it.each([
    '',
    ' ',
    'a\nb',
    'a\r\nBcc: everyone@example.com',
    'a\u0000b',
    'a\u2028b',
    'Acme\u202egnp.exe',
    'Ac\u200bme',
    'Ac\u00adme',
    'Acme\u2066',
    '\u200d',
    '\ue000',
    '\u{e0041}',
    '=?utf-8?q?Acme?=',
    '\ud800',
    'x'.repeat(61),
    'x'.repeat(30_000),
  ])('cannot be %.40j', async (name) => {
    expect((await patch({ product_name: name })).status).toBe(400)
    expect((await get()).product_name).toBe('Latchkey')
  })

  it.each(['O’Reilly & Söhne', 'آرم\u200cها', 'ショップ', '👩\u200d🚀 Labs', '<img src=x onerror=alert(1)>'])(
    'can be %j',
    async (name) => {
      expect((await patch({ product_name: name })).body.product_name).toBe(name)
    },
  )
})

describe('a name with HTML', () => {
  const pages = operations.filter(
    ({ group, responses }) => group === 'pages' && responses[200] === 'text/html',
  )

  it.each([
    '"><script>alert(1)</script>',
    '</style><script>alert(1)</script>',
    "'-alert(1)-'<img src=x onerror=alert(1)>",
    '{{data}}{{style}}<b>',
  ])('is text on every page: %j', async (name) => {
    await patch({ product_name: name, support_url: 'https://acme.example/?a=<script>alert(1)</script>' })
    vi.setSystemTime(Date.now() + brandingCacheMs)
    for (const { path } of pages) {
      const page = path.replace('{topic}', 'tickets').replace('{guide}', 'sessions')
      const { status, text } = await service.client('GET', page, { bearer: admin.bearer })
      expect(status, page).toBe(200)
      expect(text).not.toMatch(/<script>alert|<img src=x|<b>/)
      expect(text).not.toContain(name)
    }
    const { text } = await service.client('GET', '/account', {
      headers: { cookie: `latchkey=${admin.bearer}` },
    })
    expect(text).toContain(escapeHtml(name))
  })

  it('is text in emails, and names no other sender', async () => {
    const name = 'Acme" <spy@evil.example>, <img src=x onerror=alert(1)>'
    await patch({ product_name: name })
    vi.setSystemTime(Date.now() + brandingCacheMs)
    const email = `ada-${randomUUID()}@example.com`
    const person = await addPerson(service, { email })
    const body = { username: person.user.username }
    await service.client('POST', '/api/2/auth/reset-password/request', { body })
    const mail = await service.mailbox.mailTo(email)
    expect(mail.html).toContain(escapeHtml(name))
    expect(mail.html).not.toContain('<img src=x')
    expect(mail.from).not.toContain('spy@evil.example')
    expect(mail.text).toContain(name)
  })
})

describe('the texts of a language', () => {
  const send = (text: object) => patch({ texts: [{ language: 'de', ...text }] })

  it.each([
    { greeting: 'x'.repeat(161) },
    { footer: 'x'.repeat(241) },
    { greeting: 'a\nb' },
    { footer: 'a\u202eb' },
    { greeting: ['a'] },
    { greeting: 'a', html: '<b>' },
    { language: '__proto__', greeting: 'a' },
    { language: 'xx', greeting: 'a' },
    { support_url: 'javascript:alert(1)' },
    { support_url: 'data:text/html,<script>alert(1)</script>' },
    { support_url: 'mailto:a@b.example?bcc=everyone@b.example' },
    { support_url: 'https://user:pass@b.example/' },
    { support_url: `https://b.example/${'x'.repeat(500)}` },
  ])('cannot be %.80j', async (text) => {
    expect((await send(text)).status).toBe(400)
    expect((await get()).texts).toEqual([])
  })

  it('cannot be more than the languages', async () => {
    const texts = Array.from({ length: 7 }, () => ({ language: 'de' }))
    expect((await patch({ texts })).status).toBe(400)
    expect((await patch({ texts: texts.slice(0, 2) })).status).toBe(400)
  })

  it('with HTML are text on pages and in emails', async () => {
    const hostile = '</script><img src=x onerror=alert(1)>{{style}}'
    await patch({ texts: [{ language: 'de', greeting: hostile, footer: hostile }] })
    vi.setSystemTime(Date.now() + brandingCacheMs)
    const { text } = await service.client('GET', '/', { headers: { 'accept-language': 'de' } })
    expect(text).not.toContain('<img src=x')
    expect(text).toContain(escapeHtml(hostile))
    const email = `ada-${randomUUID()}@example.com`
    const person = await addPerson(service, { email })
    const body = { username: person.user.username }
    await service.client('POST', '/api/2/auth/reset-password/request', {
      body,
      headers: { 'accept-language': 'de' },
    })
    const mail = await service.mailbox.mailTo(email)
    expect(mail.html).toContain(escapeHtml(hostile))
    expect(mail.html).not.toContain('<img src=x')
    expect(mail.text).toContain(hostile)
  })
})

it.each(['0.5rem;}</style><script>', 'calc(1px)', '', 'MEDIUM', 'toString', 12, { toString: 'none' }])(
  'the corners cannot be %j',
  async (radius) => {
    expect((await patch({ corner_radius: radius })).status).toBe(400)
    expect((await get()).corner_radius).toBe('medium')
  },
)

it.each(['dark_logo', 'icon'])('a hostile image cannot be the %s either', async (kind) => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
  const script = Buffer.from('alert(1)')
  for (const [type, bytes] of [
    ['image/svg+xml', svg],
    ['image/png', svg],
    ['image/png', script],
    ['text/javascript', script],
    ['image/png', Buffer.concat([makePng(), Buffer.alloc(128 * 1024)])],
  ] as const) {
    const body = { kind, content_type: type, data: bytes.toString('base64') }
    expect((await call('PUT', `${path}/logo`, body)).status).toBe(400)
  }
  expect(await get()).toMatchObject({ dark_logo: null, icon: null })
})

describe('a color', () => {
  it.each([
    '#1d4ed8;background:url(https://evil.example)',
    '#1d4ed8}</style><script>',
    '#1d4ed8\n',
    'red',
    'var(--x)',
    '#fff',
    '#1d4ed8ff',
    '#１d4ed8',
    'url(javascript:alert(1))',
  ])('cannot be %j', async (color) => {
    expect((await patch({ accent_color: color })).status).toBe(400)
    expect((await patch({ background_color: color })).status).toBe(400)
  })
})

describe('a link', () => {
  const anywhere = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'http://acme.example/',
    '//acme.example/',
    '/privacy',
    'https://user:password@acme.example/',
    'https://bank.example@evil.example/',
    'https:\\\\acme.example',
    'https://acme.example/\u202egnp',
    'https://acme.example/a b',
    'https://',
    `https://acme.example/${'x'.repeat(500)}`,
    `https://acme.example/${'ü'.repeat(200)}`,
  ]
  const mailboxes = [
    'mailto:',
    'mailto:help',
    'mailto:help@acme.example?bcc=spy@evil.example',
    'mailto:help@acme.example,spy@evil.example',
    'mailto:help@acme.example%0d%0aBcc:spy@evil.example',
    'mailto:"<script>"@acme.example',
  ]
  it.each([...anywhere, ...mailboxes])('cannot be %.60j', async (url) => {
    for (const field of ['support_url', 'privacy_url', 'terms_url']) {
      const { status, body } = await patch({ [field]: url })
      expect(status).toBe(400)
      expect(body.errors).toMatchObject([{ field }])
    }
  })

  it('to an email address is for support alone', async () => {
    expect((await patch({ support_url: 'mailto:help@acme.example' })).status).toBe(200)
    expect((await patch({ privacy_url: 'mailto:help@acme.example' })).status).toBe(400)
    vi.setSystemTime(Date.now() + brandingCacheMs)
    const { text } = await service.client('GET', '/nothing', { headers: { accept: 'text/html' } })
    expect(text).toContain('<a href="mailto:help@acme.example">Help</a>')
  })

  it('contains no characters with a meaning in HTML', async () => {
    const { body } = await patch({ terms_url: 'https://acme.example/"><script>?"><b>#"><i>' })
    expect(body.terms_url).not.toMatch(/["<>]/)
  })
})

describe('a body', () => {
  it('cannot name a logo that was not uploaded', async () => {
    const logo = { url: 'https://evil.example/spy.png', hash: 'a'.repeat(64), width: 1, height: 1 }
    expect((await patch({ logo })).status).toBe(200)
    expect((await call('PUT', path, { logo })).status).toBe(200)
    expect((await get()).logo).toBeNull()
  })

  it.each([
    '{"product_name":"a","product_name":"b"}',
    '{"formerLogos":[]}',
    '{"productName":"a"}',
    '{"__proto__":{"product_name":"a"}}',
    '{"product_name":["a"]}',
    '{"product_name":{"toString":"a"}}',
    '[]',
  ])('cannot be %s', async (body) => {
    expect((await patch(body)).status).toBe(400)
    expect(await get()).toMatchObject({ product_name: 'Latchkey' })
  })

  it('cannot be huge', async () => {
    expect((await patch({ product_name: 'x'.repeat(64 * 1024) })).status).toBe(413)
    expect((await upload('A'.repeat(192 * 1024))).status).toBe(413)
  })
})

describe('an upload', () => {
  const html = Buffer.from('<!doctype html><script>alert(1)</script>')
  const svg = Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')

  it.each([
    ['a page', html, 'image/png'],
    ['a page of its own type', html, 'text/html'],
    ['a PDF', Buffer.from('%PDF-1.7 ...'), 'image/png'],
    ['a program', Buffer.from('MZ\x90\0'), 'image/jpeg'],
    ['a bitmap', Buffer.from(`BM${'\0'.repeat(60)}`), 'image/bmp'],
    ['an icon', Buffer.from('\0\0\x01\0\x01\0\x10\x10'), 'image/x-icon'],
    ['the start of a PNG', makePng().subarray(0, 32), 'image/png'],
    ['the start of a GIF', makeGif().subarray(0, 12), 'image/gif'],
    ['the start of a JPEG', makeJpeg().subarray(0, 14), 'image/jpeg'],
    ['the start of a WebP', makeWebp('VP8 ').subarray(0, 29), 'image/webp'],
    ['a JPEG without a frame', Buffer.from('ffd8ffda0002ffd90000000000000000', 'hex'), 'image/jpeg'],
    [
      'a PNG without a header',
      Buffer.from(makePng().toString('latin1').replace('IHDR', 'IDAT'), 'latin1'),
      'image/png',
    ],
    ['a PNG in the name of a JPEG', makePng(), 'image/jpeg'],
    ['a PNG without a type', makePng(), 'application/octet-stream'],
    ['a PNG that is too small', makePng(15, 100), 'image/png'],
    ['a PNG that is too wide', makePng(2049, 16), 'image/png'],
    ['a GIF that is too high', makeGif(100, 60_000), 'image/gif'],
    ['a GIF without pixels', makeGif(0, 0), 'image/gif'],
    ['a JPEG without a height', makeJpeg(100, 0), 'image/jpeg'],
    ['a WebP that is too wide', makeWebp('VP8X', 16_000, 16), 'image/webp'],
  ])('cannot be %s', async (_, bytes, contentType) => {
    expect((await upload(bytes, contentType)).status).toBe(400)
    expect((await get()).logo).toBeNull()
    expect((await service.client('GET', `/logos/${hashOf(bytes)}`)).status).toBe(404)
  })

  it.each([
    ['image/svg+xml', svg],
    ['image/png', svg],
    ['image/svg+xml', makePng()],
    ['image/png', Buffer.concat([Buffer.from('\ufeff \n'), svg])],
  ])('cannot be SVG, and the answer says why (%s)', async (contentType, bytes) => {
    const { status, body } = await upload(bytes, contentType)
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ field: 'content_type', message: expect.stringMatching(/scripts/) }])
  })

  it.each([
    ['nothing', ''],
    [
      'no padding',
      Buffer.concat([makePng(), Buffer.alloc(1)])
        .toString('base64')
        .replace(/=+$/, ''),
    ],
    [
      'line breaks',
      makePng()
        .toString('base64')
        .replace(/(.{20})/, '$1\n'),
    ],
    ['the alphabet of URLs', '_-_-'],
    ['a data URL', `data:image/png;base64,${makePng().toString('base64')}`],
    ['bits after the end', 'QUJDRB=='],
  ])('cannot have %s in its base64', async (_, data) => {
    const { status, body } = await upload(data)
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ field: 'data' }])
  })

  it('has at most 128 KiB', async () => {
    const padTo = (size: number) => Buffer.concat([makePng(), Buffer.alloc(size - makePng().length)])
    expect((await upload(padTo(128 * 1024))).status).toBe(200)
    expect((await upload(padTo(128 * 1024 + 1))).status).toBe(400)
  })

  it('that is also a page is shown as an image, and can run nothing', async () => {
    const both = Buffer.concat([makePng(), html])
    const { body } = await upload(both)
    const response = await fetch(body.logo.url, { headers: { accept: 'text/html' } })
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; sandbox;/)
  })

  it('of any bytes never fails in another way than a refusal', () => {
    const starts = [makePng(), makeGif(), makeJpeg(), makeWebp('VP8 '), makeWebp('VP8L'), makeWebp('VP8X')]
    fc.assert(
      fc.property(
        fc.constantFrom(...starts),
        fc.nat(40),
        fc.uint8Array({ maxLength: 60 }),
        (start, kept, rest) => {
          const image = readImage(Buffer.concat([start.subarray(0, kept), rest]))
          if (image) expect(image.width * image.height).toBeGreaterThanOrEqual(0)
        },
      ),
      { numRuns: 2000 },
    )
  })
})

it('logos that replace each other cannot fill the table', async () => {
  const images = Array.from({ length: formerLogosMax + 2 }, (_, at) => makePng(50 + at, 16))
  for (const image of images) expect((await upload(image)).status).toBe(200)
  const show = async (image: Buffer) => (await service.client('GET', `/logos/${hashOf(image)}`)).status
  const statuses = await Promise.all(images.map(show))
  expect(statuses).toEqual([404, ...Array.from({ length: formerLogosMax + 1 }, () => 200)])
  const stored = await service.services.table.get(brandingKey)
  expect(stored?.['formerLogos']).toHaveLength(formerLogosMax)
})

describe('the address of a logo', () => {
  it.each(['x', 'A'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)}%00`, '..%2f..%2fetc', '%E0%A4%A'])(
    'cannot be %j',
    async (hash) => {
      expect([400, 404]).toContain((await service.client('GET', `/logos/${hash}`)).status)
    },
  )
})

describe('parallel changes', () => {
  it('of different fields and products are all kept, or refused', async () => {
    const changes = [
      [path, { product_name: 'Acme' }],
      [path, { accent_color: '#047857' }],
      [path, { terms_url: 'https://acme.example/terms' }],
      [`${path}/products/Shop`, { product_name: 'Shop' }],
      [`${path}/products/Cinema`, { product_name: 'Cinema' }],
      [`${path}/products/Cinema`, { accent_color: '#b91c1c' }],
    ] as const
    const statuses = await Promise.all(
      changes.map(async ([target, body]) => (await call('PATCH', target, body)).status),
    )
    const { body: products } = await call('GET', `${path}/products`)
    const shown: Record<string, object> = { [path]: await get() }
    for (const product of products) shown[`${path}/products/${product.name}`] = product
    changes.forEach(([target, body], at) => {
      expect([200, 409]).toContain(statuses[at])
      if (statuses[at] === 200) expect(shown[target]).toMatchObject(body)
      else expect(shown[target]).not.toMatchObject(body)
    })
    expect(statuses).toContain(200)
  })

  it('of the same logo leave the image of the branding readable', async () => {
    const images = Array.from({ length: 4 }, (_, at) => makePng(20 + at, 20))
    await Promise.all([
      ...images.map((image) => upload(image)),
      call('DELETE', `${path}/logo`),
      call('DELETE', path),
    ])
    const { logo } = await get()
    if (logo) expect((await fetch(logo.url)).status).toBe(200)
    await upload(makePng(25, 20))
    expect((await fetch((await get()).logo.url)).status).toBe(200)
  })
})

it('the branding of all products fits into one item', async () => {
  const url = `https://acme.example/${'x'.repeat(479)}`
  const logo = { hash: 'a'.repeat(64), contentType: 'image/jpeg', width: 2048, height: 2048 }
  const settings = {
    product_name: '名'.repeat(60),
    logo,
    accent_color: '#1d4ed8',
    background_color: '#fafafa',
    support_url: url,
    privacy_url: url,
    terms_url: url,
    dark_logo: logo,
    icon: logo,
    corner_radius: 'medium',
    sender_name: '名'.repeat(64),
    reply_to: `${'x'.repeat(64)}@${'x'.repeat(189)}`,
  }
  const text = { language: 'de', greeting: '名'.repeat(160), footer: '名'.repeat(240), support_url: url }
  const texts = Array.from({ length: 6 }, () => text)
  const products = Array.from({ length: brandedProductsMax }, () => ({ ...settings, name: '名'.repeat(40) }))
  const formerLogos = Array.from({ length: 20 }, () => ({ hash: logo.hash, until: Date.now() }))
  const item = { ...brandingKey, service: { ...settings, texts }, products, formerLogos, version: 1 }
  expect(Buffer.byteLength(JSON.stringify(item))).toBeLessThan(400 * 1000)
  await service.services.table.put(item)
  expect((await get()).support_url).toBe(url)
})
