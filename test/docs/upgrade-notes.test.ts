import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const changelog = readFileSync('CHANGELOG.md', 'utf8')
const operate = readFileSync('docs/operate.md', 'utf8')
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

/** The releases without upgrade notes. The first release has none. */
const findMissing = (changelog: string, operate: string, present: string): readonly string[] => {
  const named = [...changelog.matchAll(/^## v?(\d+\.\d+\.\d+)/gm)].map(([, one = '']) => one)
  // Latest first. The present version is not in the changelog before its release.
  const releases = named.includes(present) ? named : [present, ...named]
  return releases.slice(0, -1).filter((release, at) => {
    const [, notes = ''] = operate.split(`\n#### From ${releases[at + 1]} to ${release}\n`)
    const [text = ''] = notes.split(/^#/m)
    return text.trim().split(/\s+/).length < 10
  })
}

it('each release after the first one has upgrade notes', () => {
  expect(findMissing(changelog, operate, version)).toEqual([])
})

it('a release without notes from the one before it is found', () => {
  const text = 'Nothing to do. No stored form changes. A rollback is possible at any time.'
  const notes = `## Upgrade\n\n#### From 0.1.0 to 0.2.0\n\n${text}\n\n#### From 0.2.0 to 0.3.0\n\nNothing.\n\n#### From 0.2.0 to 0.4.0\n\n${text}\n`
  expect(findMissing('## v0.3.0\n\n## v0.2.0\n\n## 0.1.0\n', notes, '0.4.0')).toEqual(['0.4.0', '0.3.0'])
  expect(findMissing('## v0.2.0\n\n## 0.1.0\n', notes, '0.2.0')).toEqual([])
  expect(findMissing('## v0.2.0\n\n## 0.1.0\n', '', '0.2.0')).toEqual(['0.2.0'])
})
