import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/* The page about the profiles of SCIM has a reason or a test for each clause, and tests that exist. */

const statuses = ['yes', 'setting', 'partly', 'no', 'n/a']
const rows = readFileSync('docs/security/scim-profiles.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .filter((cells) => cells.length === 5 && statuses.includes(cells[2] ?? ''))

it('each clause has a status, and what it is founded on', () => {
  expect(rows.length).toBeGreaterThan(50)
  for (const [clause, topic, status = '', how, evidence] of rows) {
    const name = `${clause} ${topic}`
    if (status === 'yes') expect(evidence, name).toMatch(/test\//)
    else expect(how, name).toMatch(/\w/)
  }
})

it('each test that it names exists once', () => {
  const missing = rows.flatMap(([, , , , evidence = '']) => {
    const [, file = '', title] = /^`?(test\/[\w/.-]+\.ts)`?(?: “(.+)”)?$/.exec(evidence) ?? []
    if (evidence === '') return []
    if (!existsSync(file)) return [evidence]
    const count = title === undefined ? 1 : readFileSync(file, 'utf8').split(title).length - 1
    return count === 1 ? [] : [`${count} times: ${evidence}`]
  })
  expect(missing).toEqual([])
})

it('nothing says that a profile is met as a whole', () => {
  for (const page of ['docs/security/scim-profiles.md', 'docs/concepts/scim.md'])
    expect(readFileSync(page, 'utf8')).not.toMatch(/conformant/i)
})
