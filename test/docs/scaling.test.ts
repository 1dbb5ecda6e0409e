import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as connectionLimits from '../../lib/kernel/limits/connection-limits.ts'
import * as limits from '../../lib/kernel/limits/limits.ts'
import * as samlLimits from '../../lib/kernel/limits/saml-limits.ts'
import { auditShards } from '../../lib/kernel/table/keys/audit-shards.ts'
import { day, minute } from '../../lib/kernel/util/time.ts'

const page = readFileSync('docs/scaling.md', 'utf8')
const units: Readonly<Record<string, number>> = {
  KB: 1024,
  MB: 1024 * 1024,
  minute,
  days: day,
}

/** The rows that name a limit of the code: its text and its name. */
const rows = [...page.matchAll(/^\| [^|]+ \| ([^|]+) \| `(\w+)` \|$/gm)].map(
  ([, text = '', name = '']) => [name, text] as const,
)

it('the page about scaling names limits of the code', () => {
  expect(rows.length).toBeGreaterThan(15)
})

it.each(rows)('the page about scaling has the number of %s', (name, text) => {
  const [, number = '', unit = ''] = /^([\d,]+)(?: (\w+))?$/.exec(text) ?? []
  const value = Number(number.replaceAll(',', '')) * (units[unit] ?? 1)
  expect(new Map(Object.entries({ ...limits, ...connectionLimits, ...samlLimits })).get(name)).toBe(value)
})

it('the page about scaling has the number of partitions with audit events', () => {
  expect(page).toContain(`audit events: ${auditShards.length} partitions a month`)
  expect(page).toContain(`The list of audit events sends ${auditShards.length} queries`)
})
