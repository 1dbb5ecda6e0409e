import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useService } from '../support/use-service.ts'

const service = await useService()

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const get = (path: string, headers = {}, method = 'GET') => service.client(method, path, { headers })

describe('an unknown address', () => {
  it('has a page for browsers, which shows nothing of the address', async () => {
    for (const path of [
      '/nothing',
      '/<script>alert(1)</script>',
      '/link/',
      '/api/2/nothing',
      '/api/2/auth',
    ]) {
      const { status, headers, text } = await get(`${path}?queryname=queryvalue`, browser)
      expect([status, headers.get('content-type')], path).toEqual([404, 'text/html; charset=utf-8'])
      expect(text).toContain('<h1>Page not found</h1>')
      expect(text).toContain('Go to the sign-in page')
      expect(text).toContain(headers.get('x-request-id'))
      for (const hidden of ['nothing', '<script', 'alert(', 'queryname', 'queryvalue'])
        expect(text).not.toContain(hidden)
    }
  })

  it('has a page that can run nothing and that no other site can embed', async () => {
    const { headers, text } = await get('/nothing', browser)
    const hashes = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(
      ([, style = '']) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    )
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`default-src 'none'; style-src ${hashes.toReversed().join(' ')};`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('script-src')
    expect(policy).not.toContain('unsafe')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it.each([
    {},
    { accept: '*/*' },
    { accept: 'application/json' },
    { accept: 'application/json, text/plain, */*' },
  ])('has a problem body for clients that send %j', async (headers) => {
    for (const path of ['/nothing', '/api/2/nothing']) {
      const answer = await get(path, headers)
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(answer.body).toMatchObject({ status: 404, code: 'not_found' })
    }
  })

  it('that programs use has a page with the allowed methods in its header', async () => {
    const { status, headers, text } = await get('/api/2/auth/login', browser)
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
    expect(text).toContain('<h1>This page cannot be shown</h1>')
  })

  it('has no body for HEAD', async () => {
    const head = await get('/nothing', browser, 'HEAD')
    expect([head.status, head.text]).toEqual([404, ''])
  })
})

describe('the icon', () => {
  it('is a small image that browsers keep', async () => {
    for (const headers of [{}, browser, { accept: 'image/avif,image/webp,image/*,*/*;q=0.8' }]) {
      const response = await fetch(`${service.url}/favicon.ico`, { headers })
      const icon = Buffer.from(await response.arrayBuffer())
      expect(response.headers.get('content-type')).toBe('image/x-icon')
      expect(response.headers.get('cache-control')).toBe('public, max-age=604800, immutable')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      // One image of 16 by 16 pixels with 32 bits each, and as long as its header says.
      expect(icon.subarray(0, 8).toString('hex')).toBe('0000010001001010')
      expect(icon.readUInt16LE(12)).toBe(32)
      expect(icon.readUInt32LE(14) + icon.readUInt32LE(18)).toBe(icon.length)
      expect(icon.length).toBeLessThan(2048)
      // The first pixel is transparent, the one in the middle of the keyhole is white.
      expect(icon.readUInt32LE(62)).toBe(0)
      expect(icon.readUInt32LE(62 + 4 * (16 * 7 + 7))).toBe(0xffffffff)
    }
  })
})

describe('the rules for crawlers', () => {
  it('exclude all pages', async () => {
    const { headers, text } = await get('/robots.txt')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(text).toBe('User-agent: *\nDisallow: /\n')
  })
})
