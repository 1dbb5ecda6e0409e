import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** The number of requirements in each section of ASVS 5.0.0. V10 and V17 do not apply as a whole. */
const requirementsPerSection: Readonly<Record<number, readonly number[]>> = {
  1: [2, 10, 12, 3, 3],
  2: [3, 3, 5, 2],
  3: [1, 3, 5, 8, 8, 1, 5],
  4: [5, 5, 2, 4],
  5: [1, 6, 3, 3],
  6: [3, 12, 8, 6, 8, 4, 2, 4],
  7: [3, 4, 2, 5, 3, 2],
  8: [4, 4, 3, 2],
  9: [3, 4],
  11: [4, 5, 5, 4, 2, 2, 2],
  12: [5, 2, 5],
  13: [4, 6, 4, 7],
  14: [2, 8, 3],
  15: [5, 5, 7, 4],
  16: [1, 5, 4, 3, 4],
}

const rows = (file: string): readonly (readonly string[])[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))

const statuses = ['yes', 'partly', 'no', 'operator', 'n/a']

describe('the comparison with ASVS 5.0', () => {
  const found = rows('docs/security/asvs-5.md')

  it('has one line for each requirement, in order', () => {
    const expected = Object.entries(requirementsPerSection).flatMap(([chapter, sections]) =>
      sections.flatMap((count, section) =>
        Array.from({ length: count }, (_, index) => `${chapter}.${section + 1}.${index + 1}`),
      ),
    )
    expect(found.map(([, id]) => id)).toEqual(expected)
  })

  it('gives each line a level and a known status', () => {
    const wrong = found.filter(([, , level, , status]) => !/^[123]$/.test(level ?? '') || !isStatus(status))
    expect(wrong).toEqual([])
  })
})

it('the comparison with NIST SP 800-63B-4 gives each line a known status', () => {
  const found = rows('docs/security/nist-800-63b-4.md')
  expect(found.length).toBeGreaterThan(50)
  expect(found.filter(([, , , status]) => !isStatus(status))).toEqual([])
})

const isStatus = (text = ''): boolean => statuses.includes(text)
