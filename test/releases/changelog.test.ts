import { execFileSync, execSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'changelog-'))
  mkdirSync(join(folder, 'docs'))
  for (const file of ['package.json', 'CHANGELOG.md', 'docs/changelog.hbs'])
    copyFileSync(file, join(folder, file))
  git('init', '--quiet')
  commit('First release')
  git('tag', 'v0.1.0')
})
afterAll(() => rmSync(folder, { recursive: true }))

const git = (...args: readonly string[]): void => {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
  execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' })
}
const commit = (subject: string): void => {
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message', subject)
}
/** Does what `npm version` does. Returns the changelog. */
const release = (version: string): string => {
  const file = join(folder, 'package.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), version }))
  const { scripts } = JSON.parse(readFileSync(file, 'utf8'))
  const env = { ...process.env, npm_package_version: version }
  // The suite has installed the writer. The templates of the release have their own test: `test/releases/template-changes.test.ts`.
  const changelog = scripts.version.split(' && ')[1].replace(/^(?=test\/)/, `${resolve('.')}/`)
  execSync(changelog, { cwd: folder, stdio: 'ignore', env })
  commit(version)
  git('tag', `v${version}`)
  return readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')
}

it('lists the commits of each release above the first one', () => {
  const first = readFileSync('CHANGELOG.md', 'utf8')
  commit('Add a way to sign in')
  commit('Limit the length of a name')
  const second = release('0.2.0')
  expect(second).toContain('## v0.2.0\n\n- Limit the length of a name\n- Add a way to sign in\n')
  // An author edits the entries before the release.
  writeFileSync(
    join(folder, 'CHANGELOG.md'),
    second.replace('- Add a way to sign in', '- Sign in by passkey'),
  )
  commit('List devices')
  const third = release('0.3.0')
  expect(third.match(/^## .*/gm)).toEqual(['## v0.3.0', '## v0.2.0', '## 0.1.0'])
  expect(third).toContain('## v0.3.0\n\n- List devices\n')
  expect(third).toContain('## v0.2.0\n\n- Limit the length of a name\n- Sign in by passkey\n')
  const entriesOf = (text: string) => text.slice(text.indexOf('\n## 0.1.0\n'))
  expect(entriesOf(third)).toBe(entriesOf(first))
})
