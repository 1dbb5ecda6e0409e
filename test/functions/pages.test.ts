import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it.each([
  { path: '/', styles: 2 },
  { path: '/reset', styles: 2 },
  { path: '/secure', styles: 2 },
  { path: '/link', styles: 3 },
  { path: '/passkeys', styles: 3 },
])('the policy of the page at $path allows its own script and styles only', async ({ path, styles }) => {
  const page = await service.client('GET', path, { headers: { accept: 'text/html' } })
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|\*|http/)
  for (const [tag, count] of Object.entries({ script: 1, style: styles })) {
    const texts = [...page.text.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, 'g'))]
    const hashes = texts.map(([, text = '']) => createHash('sha256').update(text).digest('base64'))
    const allowed = hashes.map((hash) => `'sha256-${hash}'`).join(' ')
    expect(hashes).toHaveLength(count)
    expect(policy.split('; ').filter((rule) => rule.startsWith(tag))).toEqual([`${tag}-src ${allowed}`])
  }
  expect(page.text).not.toMatch(/ on\w+=| style=|src=|https?:/)
})

it('a page ignores its query and rejects clients that only accept JSON', async () => {
  const [plain, tagged] = [
    await service.client('GET', '/reset'),
    await service.client('GET', '/reset?utm_source=x'),
  ]
  expect(tagged.status).toBe(200)
  expect(tagged.text).toBe(plain.text)
  expect((await service.client('GET', '/', { headers: { accept: 'application/json' } })).status).toBe(406)
})
