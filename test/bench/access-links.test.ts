import { beforeAll, expect, it } from 'vitest'
import { type Measurement, measureAccessLinks } from '../../bench/access-links.ts'

/* With ten times as many tokens, a request must have the same cost, although the lists are ten times longer. */

let small: Measurement
let large: Measurement
beforeAll(async () => {
  const [first, second] = await measureAccessLinks({ sizes: [300, 3000], users: 50, rounds: 3 })
  if (!first || !second) throw new Error('nothing was measured')
  small = first
  large = second
})

const lists = {
  'all, as administrator': 4,
  'the same, newest first': 4,
  'the same, by expiry': 4,
  // One call finds the guests that the caller replaced, whose links are theirs now.
  'own, as creator': 6,
  'own, by expiry': 6,
  'own, as recipient': 6,
  'by bundle': 4,
  'by directory': 4,
  'by asset': 4,
  'by recipient and creator': 6,
}
const single = { get: 4, permissions: 3, 'by value': 2, redeem: 3, 'authentication by API token': 1 }

it.each(Object.entries({ ...lists, ...single }))(
  '%s takes %i calls for any number of tokens',
  (name, calls) => {
    const [before, after] = [small.costs[name], large.costs[name]]
    expect(before?.calls).toBe(calls)
    expect(after?.calls).toBe(calls)
    expect(before?.units).toBeGreaterThan(0)
    expect(Math.abs((after?.units ?? 0) / (before?.units ?? 1) - 1)).toBeLessThanOrEqual(0.1)
    if (name in lists) for (const cost of [before, after]) expect(cost?.entries).toBe(20)
  },
)

it('measures exactly the listed requests', () => {
  expect(Object.keys(small.costs).sort()).toEqual(Object.keys({ ...lists, ...single }).sort())
})
