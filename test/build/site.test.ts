import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { writeSite } from '../../build/docs/write-site.ts'

/*
 * The documentation as static files. What the pages say is tested where a service serves them. Here, a reader of a static host follows
 * all links.
 */

const folder = mkdtempSync(join(tmpdir(), 'latchkey-site-'))
writeSite(folder)
afterAll(() => rmSync(folder, { recursive: true }))

const pages = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('index.html'))
    .map((name) => [`/${name.replace(/\/?index\.html$/, '')}`, readFileSync(join(folder, name), 'utf8')]),
)

/** The places in each page. */
const ids = new Map(
  [...pages].map(([path, page]) => [
    path,
    new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)),
  ]),
)

it('is complete: each link leads to a file and to a place in it', () => {
  const missing = [...pages].flatMap(([path, page]) =>
    [...page.matchAll(/ (?:href|src|srcset)="([^"]+)"/g)]
      .map(([, link = '']) => link)
      .filter((link) => !link.startsWith('https://'))
      .filter((link) => {
        const [target = '', id] = link.split('#')
        const found = ids.get(target === '' ? path : target)
        if (found === undefined) return !existsSync(join(folder, target))
        return id !== undefined && !found.has(id)
      })
      .map((link) => `${path}: ${link}`),
  )
  expect(missing).toEqual([])
})

it('leads from the first page to the guides, and finds them by their words', () => {
  expect(pages.get('/')).toContain('href="/docs/guides/getting-started"')
  const { entries } = JSON.parse(readFileSync(join(folder, 'docs/search.json'), 'utf8'))
  expect(entries).toContainEqual(
    expect.objectContaining({ href: '/docs/guides/sessions', kind: 'Guide', name: 'Sessions' }),
  )
})

it('shows the picture of the README in both color schemes', () => {
  expect(pages.get('/')).toMatch(
    /<picture><source media="\(prefers-color-scheme: dark\)" srcset="\/docs\/pictures\/overview-dark\.png"><img src="\/docs\/pictures\/overview-light\.png" alt="[^"]+"><\/picture>/,
  )
  expect(pages.get('/')).not.toContain('&lt;')
})

it('lets search engines read it, and runs no script but its own', () => {
  for (const [path, page] of pages) {
    expect([path, page.includes('noindex')]).toEqual([path, false])
    const [, policy = ''] = /http-equiv="content-security-policy" content="([^"]+)"/.exec(page) ?? []
    expect([path, policy]).toEqual([path, expect.stringContaining("script-src 'sha256-")])
  }
})
