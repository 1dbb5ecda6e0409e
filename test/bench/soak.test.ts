import { expect, it } from 'vitest'
import { findUnaudited } from '../../bench/soak/audit-back.ts'
import { createLedger } from '../../bench/soak/ledger.ts'
import { findHalfMade } from '../../bench/soak/read-back.ts'
import { runSoak } from '../../bench/soak/run-soak.ts'

it('finds nothing spent twice and nothing half-made after mixed load with disruptions', async () => {
  const { summary, problems } = await runSoak({ durationMs: 3000, seed: 1, inFlight: 16 })
  expect(problems, summary).toEqual([])
  expect(summary).toMatch(/spent twice: 0 of [1-9]/)
})

it('finds names, members and counts that disagree', () => {
  const user = { id: 1, normalizedUsername: 'ann', normalizedEmail: null, groups: [2], permissions: [] }
  const items = [
    { pk: 'user#1', sk: 'user', ...user },
    { pk: 'user#1', sk: 'api-token#hash' },
    { pk: 'username#bob', sk: 'username', userId: 1 },
    { pk: 'group#3', sk: 'member#0000000001' },
  ]
  expect(findHalfMade(items)).toEqual([
    'user 1 does not hold username#ann username',
    'no user has username#bob username',
    'user 1 is in the missing group 2',
    'group 2 does not list user 1',
    'group 3 lists user 1, who is not in it',
    'user 1 has 1 API tokens, and 0 are counted',
  ])
})

it('finds a change without its audit event, and an event without its change', () => {
  const ledger = createLedger()
  ledger.expectEvent('user.created', 201)
  ledger.expectEvent('user.created', 503)
  const event = { pk: 'audit#2026-01#a', sk: 'event', event: 'group.created', target: '7' }
  expect(findUnaudited([event], ledger)).toEqual([
    'user.created: 0 events for 1 changes, and up to 1 more',
    'group 7 and the event of its deletion disagree',
  ])
})
