import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { getRouteKey } from '../../lib/kernel/contract/operation.ts'
import { createRouter } from '../../local/gateway/routes.ts'

/** Every route, and the request that only it should take. */
const routes = operations.map((operation) => ({ routeKey: getRouteKey(operation), target: operation.id }))
const toRequest = (routeKey: string): [string, string] => {
  const [method = '', path = ''] = routeKey.split(' ')
  return [method, path.replaceAll(/\{\w+\}/g, '7')]
}

describe('the router', () => {
  it.each([
    ['sorted', (given: typeof routes) => given.toSorted((a, b) => (a.routeKey < b.routeKey ? -1 : 1))],
    ['reversed', (given: typeof routes) => given.toReversed()],
    ['shuffled', (given: typeof routes) => given.toSorted((a, b) => digest(a.target) - digest(b.target))],
  ])('finds the best route, however the routes are %s', (_, arrange) => {
    const match = createRouter(arrange(routes))
    for (const { routeKey, target } of routes)
      expect(match(...toRequest(routeKey)).target, routeKey).toBe(target)
  })
})

const digest = (text: string): number =>
  [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 9973, 7)
