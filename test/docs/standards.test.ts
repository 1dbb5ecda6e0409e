import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** The number of requirements in each section of ASVS 5.0.0. V17 does not apply as a whole. */
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
  10: [2, 3, 5, 16, 5, 2, 3],
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
const isStatus = (text = ''): boolean => statuses.includes(text)

interface Line {
  readonly id: string
  readonly status: string
  readonly how: string
  readonly evidence: string
}

/** Evidence that is no test, as the page explains. */
const otherEvidence = ['document', 'platform', 'review']
const testReference = /`(test\/[\w/.-]+\.test\.ts)`(?: “([^”]+)”)?/g

/** Files of tests that belong to a requirement as a whole, which the pages name without a title. */
const wholeFile = /(?<!`)test\/[\w/-]+\.test\.ts/g
/** Tests of an evidence cell that do not exist, or whose words are found twice. */
const listMissingTests = ({ id, evidence }: Line): readonly string[] => [
  ...[...evidence.matchAll(wholeFile)].flatMap(([file]) =>
    existsSync(file) ? [] : [`${id}: ${file} does not exist`],
  ),
  ...[...evidence.matchAll(testReference)].flatMap(([, file = '', title]) => {
    if (!existsSync(file)) return [`${id}: ${file} does not exist`]
    const source = readFileSync(file, 'utf8').replaceAll("\\'", "'")
    if (title === undefined) return [`${id}: names no test of ${file}`]
    const count = source.split(title).length - 1
    return count === 1 ? [] : [`${id}: ${file} has “${title}” ${count} times`]
  }),
]

/** What is wrong with the reasons for a status. */
const listUnfounded = ({ id, status, how, evidence }: Line): readonly string[] => {
  const parts = evidence.split('; ')
  const isFounded = parts.every((part) => otherEvidence.includes(part) || /^`?test\//.test(part))
  if (status === 'yes' && !isFounded) return [`${id}: is met without evidence`]
  if (evidence === 'document' && !how.includes('](')) return [`${id}: links no document`]
  return ['partly', 'no'].includes(status) && how === '' ? [`${id}: gives no reason for ${status}`] : []
}

describe('the comparison with ASVS 5.0', () => {
  const found = rows('docs/security/asvs-5.md')
  const lines = found.map(
    ([, id = '', , , status = '', how = '', evidence = '']): Line => ({ id, status, how, evidence }),
  )

  it('has one line for each requirement, in order', () => {
    const expected = Object.entries(requirementsPerSection).flatMap(([chapter, sections]) =>
      sections.flatMap((count, section) =>
        Array.from({ length: count }, (_, index) => `${chapter}.${section + 1}.${index + 1}`),
      ),
    )
    expect(lines.map(({ id }) => id)).toEqual(expected)
  })

  it('gives each line a level and a known status', () => {
    const wrong = found.filter(([, , level, , status]) => !/^[123]$/.test(level ?? '') || !isStatus(status))
    expect(wrong).toEqual([])
  })

  it('names tests that exist', () => {
    expect(lines.flatMap(listMissingTests)).toEqual([])
  })

  it('has evidence for each line that is met, and a reason for each other', () => {
    expect(lines.flatMap(listUnfounded)).toEqual([])
  })
})

describe('the comparison with RFC 9700', () => {
  const found = rows('docs/security/rfc-9700.md')
  const lines = found.map(
    ([, section = '', , topic = '', status = '', how = '', evidence = '']): Line => ({
      ...{ status, how, evidence },
      id: `${section} ${topic}`,
    }),
  )

  it('gives each line a word of the RFC and a known status', () => {
    const words = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'RECOMMENDED', 'MAY']
    expect(found.length).toBeGreaterThan(40)
    expect(found.filter(([, , word = '', , status]) => !words.includes(word) || !isStatus(status))).toEqual(
      [],
    )
  })

  it('names tests that exist', () => {
    expect(lines.flatMap(listMissingTests)).toEqual([])
  })

  it('has evidence for each line that is met, and a reason for each other', () => {
    expect(lines.flatMap(listUnfounded)).toEqual([])
  })
})

it('the comparison with NIST SP 800-63B-4 gives each line a known status', () => {
  const found = rows('docs/security/nist-800-63b-4.md')
  expect(found.length).toBeGreaterThan(50)
  expect(found.filter(([, , , status]) => !isStatus(status))).toEqual([])
})
