import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { markdownFiles } from './markdown.ts'

/* The pages that answer a questionnaire: every control has an owner, and nothing claims a certificate. */

const page = readFileSync('docs/security/caiq-lite.md', 'utf8')

/** How many controls the Lite version has in each domain of the Cloud Controls Matrix 4.0.12. */
const controlsPerDomain: Readonly<Record<string, number>> = {
  ...{ 'A&A': 4, AIS: 4, BCR: 5, CCC: 7, CEK: 9, DCS: 3, DSP: 15, GRC: 4, HRS: 3, IAM: 10, IPY: 1 },
  ...{ IVS: 5, LOG: 3, SEF: 3, STA: 3, TVM: 5, UEM: 7 },
}

describe('the questionnaire', () => {
  const rows = [...page.matchAll(/^\| ([A-Z&]{3}-\d\d) \| (.+) \|$/gm)].map(([, id = '', rest = '']) => ({
    id,
    cells: rest.split(' | '),
  }))

  it('has each control once, in order', () => {
    const ids = rows.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].toSorted())
    const counted = Object.groupBy(ids, (id) => id.slice(0, 3))
    expect(Object.fromEntries(Object.entries(counted).map(([domain, all]) => [domain, all?.length]))).toEqual(
      controlsPerDomain,
    )
  })

  it('has an answer of somebody for each control', () => {
    for (const { id, cells } of rows) {
      expect(cells, id).toHaveLength(4)
      expect(
        cells.slice(1).every((cell) => cell === '–'),
        id,
      ).toBe(false)
      expect(['–', 'AWS answers'], id).toContain(cells[3])
    }
  })

  it('says where the IDs were read, and when', () => {
    expect(page).toMatch(/read on \d+ \w+ \d{4}[\s\S]*<https:\/\/cloudsecurityalliance\.org\//)
  })
})

describe('the suite of the OpenID Foundation', () => {
  const suite = readFileSync('docs/security/openid-suite.md', 'utf8')
  const modules = readFileSync('docs/security/openid-modules.md', 'utf8')

  it('begins with a command that runs every test of our modules', () => {
    expect(suite).toContain('npm run conformance')
    const files = new Set([...modules.matchAll(/^Tests: `(\S+)`\.$/gm)].map(([, file = '']) => file))
    const filters = manifest.scripts.conformance
      .split(' ')
      .slice(2)
      .filter((word) => !/^--|^(unit|also-deployed|source-attacks)$/.test(word))
    expect(files.size).toBeGreaterThan(3)
    for (const file of files)
      expect(
        filters.some((filter) => file.includes(filter)),
        file,
      ).toBe(true)
    for (const filter of filters)
      expect(
        [...files].some((file) => file.includes(filter)),
        filter,
      ).toBe(true)
  })

  it('has a configuration that is JSON, for a plan of each profile', () => {
    const [, text = ''] = /```json\n([\s\S]*?)```/.exec(suite) ?? []
    expect(Object.keys(JSON.parse(text))).toEqual(
      expect.arrayContaining(['alias', 'server', 'client', 'client2']),
    )
    const profiles = [...modules.matchAll(/^## Provider: (.+)$/gm)]
    const plans = [...suite.matchAll(/^\| .+ \| `oidcc-[\w-]+-test-plan` \|/gm)]
    // Basic and form post share the list of modules.
    expect(plans).toHaveLength(profiles.length + 1)
  })
})

it('no page says that the service is certified', () => {
  const claims = markdownFiles().flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /\b(?:is|are|has been|fully|OpenID) certified\b/i.test(line))
      .filter((line) => !/\bno \w+ is certified\b/i.test(line))
      .map((line) => `${file}: ${line}`),
  )
  expect(claims).toEqual([])
})
