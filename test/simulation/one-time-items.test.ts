import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createOneTimeService, type HomeRule, type OneTimeService, rules } from './one-time-service.ts'
import { type Region, regions } from './replicas.ts'

/*
 * What docs/multi-region.md decides, tried on a model of a global table. Nothing of this is deployed: the service runs in
 * one region.
 */

type Event =
  | { readonly type: 'issue' | 'use'; readonly key: string; readonly region: Region }
  | { readonly type: 'deliver'; readonly choice: number }
  | { readonly type: 'connect'; readonly isConnected: boolean }
  | { readonly type: 'failOver'; readonly region: Region }

const region = fc.constantFrom(...regions)
const key = fc.constantFrom('a', 'b')
const events: fc.Arbitrary<readonly Event[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constantFrom('issue' as const, 'use' as const), key, region }),
    fc.record({ type: fc.constant('deliver' as const), choice: fc.nat(9) }),
    fc.record({ type: fc.constant('connect' as const), isConnected: fc.boolean() }),
    fc.record({ type: fc.constant('failOver' as const), region }),
  ),
  { maxLength: 40 },
)

const apply = (service: OneTimeService, event: Event): void => {
  if (event.type === 'issue') service.issue(event.key, event.region)
  else if (event.type === 'use') service.use(event.key, event.region)
  else if (event.type === 'deliver') service.deliver(event.choice)
  else if (event.type === 'connect') service.setConnected(event.isConnected)
  else service.failOver(event.region)
}

/** Looks for a schedule in which an item is accepted twice. The seed is fixed, so that a result can be repeated. */
const findSecondUse = (rule: HomeRule): readonly Event[] | undefined => {
  const isUsedOnce = (schedule: readonly Event[]) => {
    const service = createOneTimeService(rule)
    for (const event of schedule) apply(service, event)
    return Math.max(0, ...service.uses.values()) <= 1
  }
  const { counterexample } = fc.check(fc.property(events, isUsedOnce), { numRuns: 3000, seed: 1 })
  return counterexample?.[0]
}

/** The types of the events. Their order may vary, because a delivery matters only before the second use. */
const typesOf = (schedule: readonly Event[] | undefined) => schedule?.map(({ type }) => type).sort()

describe('a one-time item under replication lag', () => {
  it('is accepted in both regions if each region uses its own copy', () => {
    const schedule = findSecondUse(rules.anyRegion)
    // The item arrives in the other region, and the mark of its use does not arrive in time.
    expect(typesOf(schedule)).toEqual(['deliver', 'issue', 'use', 'use'])
  })

  it('is accepted again after a failover if the other region takes over items', () => {
    const schedule = findSecondUse(rules.activeRegion)
    expect(typesOf(schedule)).toEqual(['deliver', 'failOver', 'issue', 'use', 'use'])
  })

  it('is accepted at most once if only the region that issued it uses it', () => {
    expect(findSecondUse(rules.issuingRegion)).toBeUndefined()
  })
})

describe('the rule of the issuing region', () => {
  it('accepts an item from either region, also before it was replicated', () => {
    for (const request of regions) {
      const service = createOneTimeService(rules.issuingRegion)
      service.issue('a', 'eu')
      expect([service.use('a', request), service.use('a', request)]).toEqual(['accepted', 'refused'])
    }
  })

  it('makes items unavailable from the other region while the regions are apart', () => {
    const service = createOneTimeService(rules.issuingRegion)
    service.issue('a', 'eu')
    service.deliver(0)
    service.setConnected(false)
    expect(service.use('a', 'us')).toBe('unavailable')
    service.setConnected(true)
    expect(service.use('a', 'us')).toBe('accepted')
  })

  it('makes items of a failed region unavailable after a failover, but not new ones', () => {
    const service = createOneTimeService(rules.issuingRegion)
    service.issue('a', 'eu')
    service.deliver(0)
    service.setConnected(false)
    service.failOver('us')
    service.issue('b', 'us')
    expect([service.use('a', 'us'), service.use('b', 'us')]).toEqual(['unavailable', 'accepted'])
  })
})
