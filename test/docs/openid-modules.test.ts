import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/* The page of results names the modules that tests have, and no others. */

const parts = readFileSync('docs/security/openid-modules.md', 'utf8').split(/\n## /).slice(1)

/** Names in a test that are put together from parts. */
const built: readonly string[] = [
  'oidcc-display-page',
  'oidcc-display-popup',
  'oidcc-scope-address',
  'oidcc-scope-phone',
]

describe.each(parts.map((part) => [part.split('\n')[0] ?? '', part] as const))('%s', (_heading, part) => {
  const rows = [...part.matchAll(/^\| `(oidcc-[a-z\d-]+)` \| (.+) \| (yes|partly|n\/a) \|$/gm)]
  const [, file = ''] = /^Tests: `([^`]+)`\.$/m.exec(part) ?? []

  it('has a result for each module, and a test of its name', () => {
    const tests = readFileSync(file, 'utf8')
    const named = new Set(tests.match(/oidcc-[a-z\d-]+[a-z\d]/g))
    const missing = rows.filter(
      ([, name = '', , result]) => result !== 'n/a' && !named.has(name) && !built.includes(name),
    )
    expect(missing.map(([, name]) => name)).toEqual([])
    expect(rows.length).toBeGreaterThan(0)
    expect(part.split('\n').filter((line) => line.startsWith('| `'))).toHaveLength(rows.length)
  })
})
