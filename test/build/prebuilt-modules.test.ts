import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

it('a prebuilt module is never taken from the cache of an earlier run, unlike other modules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-prebuilt-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (name: string, ...lines: readonly string[]) =>
    writeFileSync(join(folder, name), lines.join('\n'))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  write('package.json', '{ "type": "module" }')
  write(
    'vitest.config.ts',
    `import { prebuiltModules } from '${resolve('test/support/prebuilt-modules.ts')}'`,
    "const test = { fsModuleCachePath: 'cache', projects: [{ extends: true, test: { name: 'unit' } }] }",
    'export default { plugins: [prebuiltModules()], test }',
  )
  write(
    'built.prebuilt.ts',
    "import { readFileSync } from 'node:fs'",
    "export const built = readFileSync(new URL('source.txt', import.meta.url), 'utf8')",
  )
  write('plain.ts', "export const plain = 'plain'")
  write(
    'built.test.ts',
    "import { writeFileSync } from 'node:fs'",
    "import { it } from 'vitest'",
    "import { built } from './built.prebuilt.ts'",
    "import { plain } from './plain.ts'",
    "it('notes what was built', () => writeFileSync('noted.txt', built + plain))",
  )
  const run = (source: string): string => {
    write('source.txt', source)
    const { status, stderr } = spawnSync(
      process.execPath,
      [resolve('node_modules/vitest/vitest.mjs'), 'run'],
      { cwd: folder, encoding: 'utf8' },
    )
    expect(status, stderr).toBe(0)
    return readFileSync(join(folder, 'noted.txt'), 'utf8')
  }
  const listCached = () => readdirSync(join(folder, 'cache'))
  expect(run('before ')).toBe('before plain')
  const cached = listCached()
  expect(
    cached.some((name) => readFileSync(join(folder, 'cache', name), 'utf8').includes('const plain')),
  ).toBe(true)
  expect(run('after ')).toBe('after plain')
  expect(listCached()).toEqual(cached)
})
