import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { brandingCacheMs, formerLogoLifetimeMs, logoCacheMs } from '../../lib/kernel/limits/limits.ts'
import { brandingKey, logoKey } from '../../lib/kernel/table/keys/keys.ts'
import { makeGif, makeJpeg, makePng, makeWebp } from '../support/images.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

vi.useFakeTimers({ toFake: ['Date'] })
const service = await useService({
  ALLOWED_ORIGINS: 'https://shop.example,https://cinema.example:8443',
  LINK_URL: 'Shöp & more=https://shop.example/{id}, https://cinema.example:8443/',
})
let admin: SignedInPerson
afterAll(() => vi.useRealTimers())
beforeEach(async () => {
  admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
})
afterEach(() => service.services.table.transact([{ delete: brandingKey }]))

const path = '/api/2/branding'
const shop = encodeURIComponent('Shöp & more')
const cinema = encodeURIComponent('cinema.example:8443')
const call = (method: string, target: string, body?: object) => {
  // So that audit events have an order.
  vi.setSystemTime(Date.now() + 1)
  return service.client(method, target, { bearer: admin.bearer, body })
}
const get = async (query = '') => (await service.client('GET', `${path}${query}`)).body
const getStored = () => service.services.table.get(brandingKey)

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const upload = (bytes: Buffer, scope = '', contentType = 'image/png') =>
  call('PUT', `${path}${scope}/logo`, { content_type: contentType, data: bytes.toString('base64') })
const showLogo = (hash: string) => service.client('GET', `/logos/${hash}`)

const listEvents = async (): Promise<readonly string[]> => {
  const { body } = await call('GET', `/api/2/auth/audit-events?actor=${admin.user.id}&limit=100`)
  return body
    .filter(({ event }: { event: string }) => event.startsWith('branding.'))
    .map(({ event, target }: { event: string; target: string }) => `${event} ${target}`)
    .reverse()
}

const defaults = {
  product_name: 'Latchkey',
  logo: null,
  dark_logo: null,
  icon: null,
  accent_color: '#1d4ed8',
  background_color: null,
  corner_radius: 'medium',
  support_url: null,
  privacy_url: null,
  terms_url: null,
  ...{ sender_name: null, reply_to: null, reply_to_used: false },
  texts: [],
}

describe('the branding of the service', () => {
  it('is the default at first, for everyone', async () => {
    expect(await get()).toEqual(defaults)
  })

  it('is replaced as a whole, updated in parts, and reset', async () => {
    const put = await call('PUT', path, {
      product_name: '  Acme  ',
      accent_color: '#B91C1C',
      support_url: 'mailto:Help@EXAMPLE.com',
      privacy_url: 'https://acme.example/ü',
    })
    expect(put).toMatchObject({ status: 200 })
    expect(put.body).toEqual({
      ...defaults,
      product_name: 'Acme',
      accent_color: '#b91c1c',
      support_url: 'mailto:Help@example.com',
      privacy_url: 'https://acme.example/%C3%BC',
    })
    expect(await get()).toEqual(put.body)
    const patch = await call('PATCH', path, { background_color: '#fafafa', support_url: null })
    expect(patch.body).toEqual({ ...put.body, background_color: '#fafafa', support_url: null })
    await call('PUT', path, { terms_url: 'https://acme.example/terms' })
    expect(await get()).toEqual({ ...defaults, terms_url: 'https://acme.example/terms' })
    expect((await call('DELETE', path)).status).toBe(204)
    expect(await get()).toEqual(defaults)
    expect(await listEvents()).toEqual([
      'branding.changed service product_name accent_color support_url privacy_url',
      'branding.changed service background_color support_url',
      'branding.changed service product_name accent_color background_color privacy_url terms_url',
      'branding.reset service',
    ])
  })

  it('is accepted again as it was read, without a new audit event', async () => {
    await call('PUT', path, { product_name: 'Acme', accent_color: '#b91c1c', corner_radius: 'large' })
    await upload(makePng())
    const body = await get()
    expect((await call('PUT', path, body)).body).toEqual(body)
    expect((await call('PATCH', path, {})).body).toEqual(body)
    expect(await listEvents()).toEqual([
      'branding.changed service product_name accent_color corner_radius',
      'branding.changed service logo',
    ])
  })

  it('lists every invalid field', async () => {
    const { status, body } = await call('PUT', path, {
      product_name: 'a\u202eb',
      background_color: '#000000',
      support_url: 'tel:112',
      privacy_url: 'http://acme.example/',
      terms_url: 'terms',
      texts: [
        { language: 'de', greeting: 'a\u202eb', footer: ' ', support_url: 'javascript:alert(1)' },
        { language: 'de' },
      ],
    })
    expect(status).toBe(400)
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'background_color',
      'privacy_url',
      'product_name',
      'support_url',
      'terms_url',
      'texts',
      'texts.0.footer',
      'texts.0.greeting',
      'texts.0.support_url',
    ])
    expect(await get()).toEqual(defaults)
  })
})

describe('the branding of a product', () => {
  it('inherits what it does not set', async () => {
    await call('PUT', path, { product_name: 'Acme', terms_url: 'https://acme.example/terms' })
    await upload(makePng(20, 30))
    const put = await call('PUT', `${path}/products/${shop}`, {
      product_name: 'Acme Shop',
      accent_color: '#047857',
    })
    const logo = { url: `${service.url}/logos/${hashOf(makePng(20, 30))}`, width: 20, height: 30 }
    const set = {
      product_name: 'Acme Shop',
      logo: null,
      dark_logo: null,
      icon: null,
      accent_color: '#047857',
      background_color: null,
      corner_radius: null,
      support_url: null,
      privacy_url: null,
      terms_url: null,
      ...{ sender_name: null, reply_to: null, reply_to_used: false },
    }
    const effective = {
      ...{ ...set, logo, terms_url: 'https://acme.example/terms' },
      ...{ corner_radius: 'medium', texts: [] },
    }
    expect(put.body).toEqual({ name: 'Shöp & more', ...set, effective })
    expect(await get(`?product=${shop}`)).toEqual(effective)
    const unset = { ...set, product_name: null, accent_color: null }
    expect((await call('GET', `${path}/products`)).body).toEqual([
      { name: 'Shöp & more', ...set, effective },
      { name: 'cinema.example:8443', ...unset, effective: await get() },
    ])
    expect((await call('PUT', `${path}/products/${shop}`, put.body)).body).toEqual(put.body)
  })

  it('is updated in parts and reset, apart from other products', async () => {
    await call('PUT', `${path}/products/${cinema}`, { product_name: 'Cinema' })
    await call('PUT', `${path}/products/${shop}`, { product_name: 'Shop', accent_color: '#047857' })
    const patch = await call('PATCH', `${path}/products/${shop}`, { accent_color: null })
    expect(patch.body).toMatchObject({ product_name: 'Shop', accent_color: null })
    expect((await call('DELETE', `${path}/products/${shop}`)).status).toBe(204)
    expect(await get(`?product=${shop}`)).toEqual(await get())
    expect(await get(`?product=${cinema}`)).toMatchObject({ product_name: 'Cinema' })
    expect((await listEvents()).slice(-2)).toEqual([
      'branding.changed product:Shöp & more accent_color',
      'branding.reset product:Shöp & more',
    ])
    expect((await getStored())?.['products']).toHaveLength(1)
  })

  it('is on a page whose address names the product', async () => {
    await call('PUT', path, { product_name: 'Acme' })
    await call('PUT', `${path}/products/${shop}`, { product_name: 'Acme Shop', accent_color: '#047857' })
    vi.setSystemTime(Date.now() + brandingCacheMs)
    const headers = { cookie: `latchkey=${admin.bearer}` }
    const show = async (query: string) => (await service.client('GET', `/account${query}`, { headers })).text
    expect(await show(`?product=${shop}`)).toMatch(/--accent:#047857.*Acme Shop/s)
    for (const query of ['', '?product=unknown'])
      expect(await show(query)).toMatch(/--accent:#1d4ed8.*&quot;Acme&quot;/s)
  })

  it('does not exist for any other name', async () => {
    for (const name of ['shop', 'constructor', '__proto__', '%20', 'a'.repeat(500)])
      for (const [method, body] of [
        ['PUT', { product_name: 'x' }],
        ['PATCH', {}],
        ['DELETE', undefined],
      ] as const)
        expect((await call(method, `${path}/products/${name}`, body)).status).toBe(404)
    expect((await service.client('GET', `${path}?product=shop`)).status).toBe(404)
    expect((await upload(makePng(), '/products/shop')).status).toBe(404)
    expect((await call('DELETE', `${path}/products/shop/logo`)).status).toBe(404)
  })
})

describe('corners, an icon and a logo for dark mode', () => {
  const uploadAs = (kind: string, bytes: Buffer, scope = '') =>
    call('PUT', `${path}${scope}/logo`, {
      ...{ kind, content_type: 'image/png', data: bytes.toString('base64') },
    })
  const show = async (target: string, headers = {}) =>
    (await service.client('GET', target, { headers: { accept: 'text/html', ...headers } })).text

  it('are on all pages, and removed one by one', async () => {
    const [dark, icon] = [makePng(21, 21), makePng(22, 22)]
    await upload(makePng(20, 20))
    await uploadAs('dark_logo', dark)
    await uploadAs('icon', icon)
    await call('PATCH', path, { corner_radius: 'none' })
    await call('PUT', path, { corner_radius: 'large' })
    vi.setSystemTime(Date.now() + brandingCacheMs)
    for (const page of ['/', '/nothing']) {
      const text = await show(page)
      expect(text).toContain('--radius:1rem')
      expect(text).toContain(`<link rel="icon" href="/logos/${hashOf(icon)}">`)
      expect(text).toContain(hashOf(dark))
    }
    expect(await show('/nothing')).toContain(
      `<source media="(prefers-color-scheme: dark)" srcset="/logos/${hashOf(dark)}">`,
    )
    expect((await call('DELETE', `${path}/logo?kind=dark_logo`)).status).toBe(204)
    vi.setSystemTime(Date.now() + brandingCacheMs)
    expect(await show('/nothing')).toMatch(/<picture><img src="[^{}]+<\/picture><\/header>/)
    expect(await get()).toMatchObject({ dark_logo: null, icon: { width: 22 }, logo: { width: 20 } })
    expect((await call('DELETE', `${path}/logo?kind=support_url`)).status).toBe(400)
    expect(await listEvents()).toEqual([
      'branding.changed service logo',
      'branding.changed service dark_logo',
      'branding.changed service icon',
      'branding.changed service corner_radius',
      'branding.changed service corner_radius',
      'branding.changed service dark_logo',
    ])
    await call('DELETE', path)
    expect(await service.services.table.get(logoKey(hashOf(icon)))).toHaveProperty('expires_at')
  })

  it('a product with a logo of its own has no dark logo of the service', async () => {
    await upload(makePng(20, 20))
    await uploadAs('dark_logo', makePng(21, 21))
    expect((await get(`?product=${shop}`)).dark_logo.width).toBe(21)
    await uploadAs('logo', makePng(40, 40), `/products/${shop}`)
    expect((await get(`?product=${shop}`)).dark_logo).toBeNull()
    await uploadAs('dark_logo', makePng(41, 41), `/products/${shop}`)
    expect((await get(`?product=${shop}`)).dark_logo.width).toBe(41)
  })
})

describe('texts', () => {
  it('are shown to the readers of their language alone, with their address for help', async () => {
    const texts = [
      { language: 'de', greeting: 'Grüezi <b>', footer: 'Acme AG', support_url: 'mailto:hilfe@acme.example' },
      { language: 'fr', greeting: 'Bonjour' },
    ]
    const put = await call('PUT', path, { support_url: 'https://acme.example/help', texts })
    expect(put.body.texts).toEqual([texts[0], { ...texts[1], footer: null, support_url: null }])
    vi.setSystemTime(Date.now() + brandingCacheMs)
    const show = async (language: string) =>
      (await service.client('GET', '/', { headers: { accept: 'text/html', 'accept-language': language } }))
        .text
    const german = await show('de')
    expect(german).toContain('Grüezi &lt;b&gt;')
    expect(german).toContain('mailto:hilfe@acme.example')
    expect(german).not.toContain('Bonjour')
    expect(await show('fr')).toMatch(/acme\.example\/help.*Bonjour/s)
    expect(await show('en')).not.toMatch(/Bonjour|Acme AG/)
    await call('PATCH', path, { texts: null })
    expect((await get()).texts).toEqual([])
  })

  it('belong to the service, so that all products together fit into one item', async () => {
    const texts = [{ language: 'de', greeting: 'Hallo' }]
    expect((await call('PATCH', `${path}/products/${shop}`, { texts })).status).toBe(400)
  })
})

describe('a logo', () => {
  it.each([
    ['image/png', makePng(2048, 16)],
    ['image/gif', makeGif(300, 100)],
    ['image/jpeg', makeJpeg(640, 480)],
    ['image/webp', makeWebp('VP8 ', 16, 2048)],
    ['image/webp', makeWebp('VP8L', 2048, 2048)],
    ['image/webp', makeWebp('VP8X', 17, 18)],
  ])('can be %s, and everyone gets the same bytes', async (contentType, bytes) => {
    const { status, body } = await upload(bytes, '', contentType)
    expect(status).toBe(200)
    expect(body.logo.url).toBe(`${service.url}/logos/${hashOf(bytes)}`)
    const response = await fetch(body.logo.url, { headers: { accept: 'text/html' } })
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': contentType,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    })
  })

  it('reports the size that its bytes state', async () => {
    expect((await upload(makeJpeg(640, 480), '', 'image/jpeg')).body.logo).toMatchObject({
      width: 640,
      height: 480,
    })
    expect((await upload(makeWebp('VP8L', 2048, 17), '', 'image/webp')).body.logo).toMatchObject({
      width: 2048,
      height: 17,
    })
  })

  it('belongs to the service or to one product, and is removed from it', async () => {
    const [own, ofShop] = [makePng(30, 30), makePng(40, 40)]
    await upload(own)
    const uploaded = await upload(ofShop, `/products/${shop}`)
    expect(uploaded.body.logo.url).toMatch(hashOf(ofShop))
    expect((await get()).logo.url).toMatch(hashOf(own))
    expect((await get(`?product=${cinema}`)).logo.url).toMatch(hashOf(own))
    expect((await call('DELETE', `${path}/products/${shop}/logo`)).status).toBe(204)
    expect((await get(`?product=${shop}`)).logo.url).toMatch(hashOf(own))
    expect((await call('DELETE', `${path}/logo`)).status).toBe(204)
    expect((await get()).logo).toBeNull()
    expect((await call('DELETE', `${path}/logo`)).status).toBe(204)
    expect(await listEvents()).toEqual([
      'branding.changed service logo',
      'branding.changed product:Shöp & more logo',
      'branding.changed product:Shöp & more logo',
      'branding.changed service logo',
    ])
  })

  it('stays readable for a year after it was replaced', async () => {
    const [first, second] = [makePng(31, 31), makePng(32, 32)]
    await upload(first)
    await upload(second)
    expect((await showLogo(hashOf(first))).status).toBe(200)
    vi.setSystemTime(Date.now() + formerLogoLifetimeMs - 2 * logoCacheMs)
    expect((await showLogo(hashOf(first))).status).toBe(200)
    vi.setSystemTime(Date.now() + 2 * logoCacheMs + 1000)
    expect((await showLogo(hashOf(first))).status).toBe(404)
    expect((await showLogo(hashOf(second))).status).toBe(200)
  })

  it('does not expire while anything uses it', async () => {
    const shared = makePng(33, 33)
    await upload(shared)
    await upload(shared, `/products/${shop}`)
    await call('DELETE', `${path}/logo`)
    expect(await service.services.table.get(logoKey(hashOf(shared)))).not.toHaveProperty('expires_at')
    await call('DELETE', `${path}/products/${shop}/logo`)
    expect(await service.services.table.get(logoKey(hashOf(shared)))).toHaveProperty('expires_at')
    await upload(shared)
    expect(await service.services.table.get(logoKey(hashOf(shared)))).not.toHaveProperty('expires_at')
    expect((await getStored())?.['formerLogos']).not.toContainEqual(
      expect.objectContaining({ hash: hashOf(shared) }),
    )
  })
})
