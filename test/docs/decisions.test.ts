import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const folder = 'docs/decisions'
const records = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .sort()

describe('the decision records', () => {
  it('have consecutive numbers', () => {
    expect(records.map((name) => Number(name.slice(0, 4)))).toEqual(records.map((_, at) => at + 1))
  })

  it.each(records)('state context, decision, rejected alternatives and consequences in %s', (name) => {
    const text = readFileSync(`${folder}/${name}`, 'utf8')
    expect(text.match(/^#{1,2} .+$/gm)).toEqual([
      expect.stringMatching(new RegExp(`^# ${Number(name.slice(0, 4))}\\. `)),
      '## Context',
      '## Decision',
      '## Rejected',
      '## Consequences',
    ])
    const words = text.split(/\s+/).length
    expect(words).toBeGreaterThanOrEqual(100)
    expect(words).toBeLessThanOrEqual(400)
  })
})
