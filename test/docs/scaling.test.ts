import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type RecordedCosts, readRecordedCosts } from '../../bench/recorded-costs.ts'
import { findFirstLimits, isKnownKey, scalingPage } from '../../build/docs/scaling-page.ts'
import * as connectionLimits from '../../lib/kernel/limits/connection-limits.ts'
import * as limits from '../../lib/kernel/limits/limits.ts'
import * as samlLimits from '../../lib/kernel/limits/saml-limits.ts'
import { auditShards } from '../../lib/kernel/table/keys/audit-shards.ts'
import { day, minute } from '../../lib/kernel/util/time.ts'

const page = readFileSync('docs/scaling.md', 'utf8')
const recorded = readRecordedCosts()
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

describe('where a service stops', () => {
  type Mutable<T> = { -readonly [Name in keyof T]: Mutable<T[Name]> }
  const alter = (change: (costs: Mutable<RecordedCosts>) => void): RecordedCosts => {
    const costs = structuredClone(recorded) as Mutable<RecordedCosts>
    change(costs)
    return costs
  }
  const keyOf = (costs: Mutable<RecordedCosts>, kind: string) => costs.flows.introspection.keys[kind]

  it('is computed from the recorded units', () => {
    expect(page).toBe(scalingPage(recorded))
  })

  it.each<[string, (costs: Mutable<RecordedCosts>) => void]>([
    ['writes of a sign-in from a known network', ({ flows }) => flows.signInFromKnownNetwork.writeUnits++],
    ['writes of a sign-in from a new network', ({ flows }) => flows.signInFromNewNetwork.writeUnits++],
    ['reads of a visit', ({ flows }) => flows.visit.readUnits++],
    ['calls of an authorizer', ({ flows }) => flows.authorizer.calls++],
    ['reads of the key of a client', (costs) => (keyOf(costs, 'oidc-client') ?? { reads: 0 }).reads++],
    ['files of the sign-in page', (costs) => costs.signInPage.files++],
    ['time of a sign-in', ({ operations }) => Object.assign(operations['login'] ?? {}, { cpuMs: 1000 })],
  ])('changes with the %s', (_, change) => {
    expect(scalingPage(alter(change))).not.toBe(page)
  })

  it('knows of each key whether people share it', () => {
    const kinds = Object.values(recorded.flows).flatMap(({ keys }) => Object.keys(keys))
    expect(kinds.filter((kind) => !isKnownKey(kind))).toEqual([])
  })

  it('is not before what the service promises', () => {
    const { flows } = recorded
    expect(flows.signInFromKnownNetwork.writeUnits).toBeLessThanOrEqual(10)
    expect(flows.signInFromNewNetwork.writeUnits).toBeLessThanOrEqual(15)
    const limits = findFirstLimits(recorded)
    const find = (title: string, name: string): number =>
      limits.get(title)?.find((limit) => limit.name.includes(name))?.perSecond ?? 0
    expect(find('introspection through one client', 'one client')).toBeGreaterThanOrEqual(2_500)
    expect(
      find('cold sign-in page, and a sign-in through a client', 'requestsPerSecond'),
    ).toBeGreaterThanOrEqual(100)
  })
})
