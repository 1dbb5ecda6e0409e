import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findMissing, listFiles, readNamingFiles } from './support/named-files.ts'

/** What a build, a test or a step of the guide for contributors writes. */
const created = [
  ...readFileSync('.gitignore', 'utf8')
    .split('\n')
    .flatMap((line) => /^\/(\w.*[^/])\/?$/.exec(line)?.[1] ?? []),
  // In the packages.
  'cli/bin',
  'cli/bin.js',
  'local/chunk-*',
  'local/index',
  // In the folder of the site.
  'docs/guides',
  'docs/guides/sessions',
  'docs/search.json',
  'index.html',
  // Someone who deploys to a real account writes it.
  'docs/reports',
  'report.json.md',
  // A release writes it.
  'build/pages/former-releases.json',
  'test/releases/last-release-templates.json',
  // A test adds a protocol to a copy of the project.
  'lib/features/connections/toy',
  'test/connections/toy.test.ts',
  // A test adds a provider to a copy of the project.
  'test/connections/gitlab.test.ts',
  // A test names it, because it does not exist.
  'docs/none.jsonl',
  ...[...readFileSync('docs/contributing.md', 'utf8').matchAll(/^ *```tsx? file=(\S+)/gm)].map(
    ([, file = '']) => file,
  ),
]

const files = listFiles()
const missingIn = (text: string, file = 'test/x.test.ts') => findMissing(file, text, ['lib/log/log.ts'], [])

describe('a file that a text names', () => {
  it('exists', () => {
    const texts = readNamingFiles(files)
    expect(texts.length).toBeGreaterThan(2000)
    // This file names files that do not exist.
    const others = texts.filter(({ file }) => file !== 'test/named-files.test.ts')
    const missing = others.flatMap(({ file, text }) =>
      findMissing(file, text, files, created).map((name) => `${file}: ${name}`),
    )
    expect(missing).toEqual([])
  })

  it.each([
    ["read('lib/log/old.ts')", ['lib/log/old.ts']],
    ["read('lib/old')", ['lib/old']],
    ["glob('lib/{log,old}/*.ts')", ['lib/old/*.ts']],
    ['read(`lib/old/$' + '{name}.ts`)', ['lib/old/*.ts']],
    ['/** See `old-log.ts`. */', ['old-log.ts']],
    ['// As in util/log.ts.', ['util/log.ts']],
    ["path.endsWith('/old-log.ts')", ['old-log.ts']],
    ['/lib\\/old|lib\\/log/.test(path)', ['lib/old']],
    ['/^lib\\/(log|old)\\//.test(path)', ['lib/old/']],
    ['/lib\\/log\\/(?!log|old)/.test(path)', ['lib/log/(?!log|old)', 'lib/log/(?=old)']],
    ['match(/at \\(lib\\/old\\/log\\.ts:\\d+\\)/)', ['lib/old/log\\.ts']],
  ])('is missed in %s', (text, missing) => {
    expect(missingIn(text)).toEqual(missing)
  })
})
