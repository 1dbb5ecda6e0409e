import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import { listRoutes, requireOwnGroup } from '../../lib/kernel/contract/routes.ts'

/** Operations with these paths, methods and groups. */
const declare = (...lines: readonly string[]): readonly Operation[] =>
  lines.map((line) => {
    const [method, path, group] = line.split(' ')
    return { ...operations[0], id: line, method, path, group } as Operation
  })
const show = (...lines: readonly string[]) =>
  listRoutes(declare(...lines)).map(({ routeKey, target }) => `${routeKey} ${target}`)

describe('the routes of operations', () => {
  it('are greedy where a group owns the paths, and longer for other groups', () => {
    expect(
      show(
        'GET /api/2/groups groups',
        'GET /api/2/groups/all groups',
        'GET /api/2/groups/all/names groups',
        'GET /api/2/groups/all/members users',
        'GET /api/2/groups/old groups',
      ),
    ).toEqual([
      'ANY /api/2/groups groups',
      'ANY /api/2/groups/{proxy+} groups',
      'ANY /api/2/groups/all/members users',
    ])
  })

  it('do not depend on the order of the operations', () => {
    const keysOf = (given: readonly Operation[]) =>
      listRoutes(given)
        .map(({ routeKey, target }) => `${routeKey} ${target}`)
        .sort()
    expect(keysOf(operations.toReversed())).toEqual(keysOf(operations))
  })

  it('are greedy below no prefix that resources share, and not beside a parameter with routes', () => {
    const lines = ['GET /api/2/a/{id} groups', 'GET /api/2/a/{id}/b groups', 'GET /api/2/a/{id}/c users']
    expect(show(...lines)).toEqual([
      'ANY /api/2/a/{id} groups',
      'ANY /api/2/a/{id}/b groups',
      'ANY /api/2/a/{id}/c users',
    ])
    expect(show('GET /api/2/b users', 'GET /api/2/c users', 'GET /d users')).toHaveLength(3)
  })

  it('have a method where groups share a path', () => {
    expect(show('PUT /api/2/a groups', 'POST /api/2/a users')).toEqual([
      'PUT /api/2/a groups',
      'POST /api/2/a users',
    ])
  })

  it('are refused if one would lead an operation to another group', () => {
    const lines = [
      'GET /docs/{topic}/b users',
      'GET /docs/a/b/c groups',
      'GET /docs/a/b groups',
      'GET /docs/a/d groups',
    ]
    const wrong = declare(...lines)
    expect(() => requireOwnGroup(wrong, listRoutes(wrong))).toThrow('GET /docs/a/b belongs to groups')
  })

  it('lead each operation of the service to its own group', () => {
    requireOwnGroup(operations, listRoutes(operations))
  })
})
