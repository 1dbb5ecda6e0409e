import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/* The documentation says that no release has run on a real account, until a report says otherwise. */

const sentence = '**No release has run on a real AWS account yet.**'
const folder = 'docs/reports'
const reports = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.md')) : []

it.each(['README.md', 'docs/deploy.md', 'docs/first-deployment.md'])(
  '%s says whether a release has run on a real account',
  (file) => {
    const text = readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ')
    const saysNone = text.includes(sentence) || text.includes(sentence.replace('.**', '**,'))
    expect(saysNone).toBe(reports.length === 0)
    for (const report of reports) expect(text).toContain(`reports/${report}`)
  },
)
