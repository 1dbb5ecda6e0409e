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

it('finds names, members, counts and copies of rights that disagree', () => {
  const user = { id: 1, normalizedUsername: 'ann', normalizedEmail: null, groups: [2], permissions: [] }
  const given = { key: 'editor', given_by: 'members' }
  const role = { ...given, permissions: ['films:edit'] }
  const items = [
    { pk: 'user#1', sk: 'user', ...user },
    { pk: 'user#1', sk: 'api-token#hash' },
    { pk: 'username#bob', sk: 'username', userId: 1 },
    { pk: 'group#3', sk: 'member#0000000001' },
    { pk: 'settings#organization-roles', sk: 'settings', roles: [role] },
    ...Array.from({ length: 15 }, (_, copy) => ({
      ...{ pk: `organization-rights#${copy}`, sk: 'rights' },
      names: ['films:edit'],
      roles: [{ ...given, places: copy === 7 ? '' : '0' }],
    })),
    { pk: 'organization-rights#16', sk: 'rights', names: [], roles: [] },
  ]
  expect(findHalfMade(items)).toEqual([
    'user 1 does not hold username#ann username',
    'no user has username#bob username',
    'user 1 is in the missing group 2',
    'group 2 does not list user 1',
    'group 3 lists user 1, who is not in it',
    'organization-rights#7 rights is not what the declared roles allow',
    'organization-rights#15 rights is not what the declared roles allow',
    'no request reads organization-rights#16 rights',
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
