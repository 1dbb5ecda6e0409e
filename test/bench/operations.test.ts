import { beforeAll, describe, expect, it } from 'vitest'
import { measureOperations, type OperationCost } from '../../bench/operation-costs.ts'

/* Table calls take most of the time of a request. The numbers here are limits. */

let costs: ReadonlyMap<string, OperationCost>

beforeAll(async () => {
  const measured = await measureOperations(process.env['DYNAMODB_ENDPOINT'] ?? '')
  costs = new Map(measured.map((cost) => [cost.name, cost]))
})

describe('the table calls of', () => {
  it.each([
    { name: 'authentication', calls: 1, roundTrips: 1 },
    { name: 'create ticket', calls: 2, roundTrips: 2 },
    // Reads the ticket and its user, then uses the ticket and stores that in one transaction.
    { name: 'check ticket', calls: 2, roundTrips: 2 },
    // A failure also counts against the rate limit, in one or two calls. The first one of a minute writes an event.
    { name: 'check ticket, used up', calls: 4, roundTrips: 4 },
    // Reads the counts and the user, counts the attempt before its password is checked, and stores the session.
    { name: 'login', calls: 4, roundTrips: 4 },
    { name: 'logout', calls: 2, roundTrips: 2 },
    { name: 'get user', calls: 2, roundTrips: 2 },
    // Beside the own session: the link and its recipient and creator, and the transaction.
    { name: 'redeem, as member', calls: 4, roundTrips: 4 },
    // One more call reads the link, its creator, and the session that it depends on.
    { name: 'authentication by link', calls: 2, roundTrips: 2 },
    // The entries of the page, and then the users on it.
    { name: 'page of users', calls: 3, roundTrips: 3 },
    // The same call, because only the ticket names the link.
    { name: 'check ticket of link', calls: 3, roundTrips: 3 },
  ])('$name are at most $calls in $roundTrips round trips', ({ name, calls, roundTrips }) => {
    expect(costs.get(name)?.calls).toBeGreaterThan(0)
    expect(costs.get(name)?.calls).toBeLessThanOrEqual(calls)
    expect(costs.get(name)?.roundTrips).toBeLessThanOrEqual(roundTrips)
  })

  it('authentication read session and user with strong consistency for two units', () => {
    expect(costs.get('authentication')).toMatchObject({ readUnits: 2, writeUnits: 0 })
  })

  it('a page of 20 users read their records with strong consistency, and cost the same of 1,000 more users', () => {
    // Session and caller take two units, the entries half of one, and each user one.
    const page = { calls: 3, roundTrips: 3, readUnits: 22.5, writeUnits: 0 }
    expect(costs.get('page of users')).toMatchObject(page)
    expect(costs.get('page of users, of many')).toMatchObject(page)
  })
})
