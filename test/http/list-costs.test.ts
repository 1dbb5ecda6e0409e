import { expect, it } from 'vitest'
import { costsSince, seedGroups, seedUsers } from '../support/directory.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

/** What the console asks for, with the ways to order and to filter a list. */
const paths = [
  ...['users?limit=50&is_guest=false&ordering=username', 'users?limit=50&ordering=-id'],
  ...['users?limit=50&is_enabled=true', 'users?limit=50&created_since=1970-01-01T00:00:00Z'],
  ...['groups?limit=50&ordering=name', 'groups?limit=50&ordering=-id', 'totals', 'overview', 'activity'],
  ...['api-tokens/all?limit=50', 'auth/access-tokens?limit=50', 'auth/audit-events?limit=50'],
]

const measure = async (): Promise<Readonly<Record<string, number>>> => {
  const calls: [string, number][] = []
  for (const path of paths) {
    const start = service.log.length
    const answer = await service.client('GET', `/api/2/${path}`, { bearer: admin.bearer })
    expect(answer.status, path).toBe(200)
    calls.push([path, costsSince(service, start)[0]?.calls ?? Number.NaN])
  }
  return Object.fromEntries(calls)
}

it('takes as many table calls for each list of 4,000 users and 600 groups as for a quarter of them', async () => {
  const membersOf = (at: number) => [1000 + at, 1001 + at]
  await seedUsers(service, 1000, 1000)
  await seedGroups(service, 150, 1000, membersOf)
  // The first request on a day counts the user.
  await service.client('GET', '/api/2/users/me', { bearer: admin.bearer })
  const small = await measure()
  await seedUsers(service, 3000, 2000, (at) => ({ username: `later-${at}` }))
  await seedGroups(service, 450, 2000, membersOf)
  expect(await measure()).toEqual(small)
})
