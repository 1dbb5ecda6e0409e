import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findLastRelease } from './release.ts'

let project: string
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'latchkey-tags-'))
  git('init', '--quiet')
  release('0.1.0')
})
afterEach(() => rmSync(project, { recursive: true }))

const git = (...args: readonly string[]): string => {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'tag.gpgSign=false']
  return execFileSync('git', [...identity, ...args], { cwd: project, encoding: 'utf8' }).trim()
}
/** Commits a changelog that names these releases. */
const release = (...versions: readonly string[]): string => {
  writeFileSync(join(project, 'CHANGELOG.md'), versions.map((version) => `## v${version}\n`).join('\n'))
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message', versions[0] ?? '')
  return git('rev-parse', 'HEAD')
}

it('finds none before the first release, and in its commit', () => {
  expect(findLastRelease(project)).toBeUndefined()
  git('tag', 'v0.1.0')
  expect(findLastRelease(project)).toBeUndefined()
})

it('finds the highest version before the present commit', () => {
  const commits = new Map<string, string>()
  for (const version of ['0.9.0', '0.10.0', '0.2.0']) {
    commits.set(version, release(version))
    git('tag', `v${version}`)
  }
  git('tag', 'vendor')
  expect(findLastRelease(project)).toEqual({ tag: 'v0.10.0', commit: commits.get('0.10.0') })
  git('checkout', '--quiet', 'v0.10.0')
  expect(findLastRelease(project)).toEqual({ tag: 'v0.9.0', commit: commits.get('0.9.0') })
})

it('takes no release of another branch', () => {
  git('tag', 'v0.1.0')
  git('checkout', '--quiet', '-b', 'other')
  release('0.2.0')
  git('tag', 'v0.2.0')
  git('checkout', '--quiet', '-')
  release('0.1.0')
  expect(findLastRelease(project)?.tag).toBe('v0.1.0')
})

it('asks for the tags if a clone lacks them', () => {
  release('0.2.0', '0.1.0')
  expect(() => findLastRelease(project)).toThrow('Run git fetch --tags.')
})
