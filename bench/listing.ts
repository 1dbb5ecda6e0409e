import { withAws } from '../local/aws-environment.ts'
import { startEngine } from '../local/dynamodb.ts'
import { addAuditEvents } from '../test/support/audit-items.ts'
import { costsSince, seedGroups, seedUsers } from '../test/support/directory.ts'
import { findNextPath } from '../test/support/next-page.ts'
import { addSignedIn } from '../test/support/people.ts'
import { startService } from '../test/support/service.ts'
import { textTable } from '../test/support/text-table.ts'

/*
 * Prints the cost of one page of each list, with a few users and with very many. A full page should cost the same in a
 * list of any length. The members of a hundred groups are one batch read.
 */

/** A quick run leaves out the largest table. */
const sizes = process.argv.includes('--quick') ? [10, 1000] : [10, 1000, 100_000]
const mostGroups = 2000
const lists = {
  'users, default page': '/api/2/users',
  'users, default page, by name': '/api/2/users?ordering=username',
  'users, default page at offset 10,000': '/api/2/users?offset=10000',
  'users, page of 100': '/api/2/users?limit=100',
  'groups, default page': '/api/2/groups',
  'groups, page of 100': '/api/2/groups?limit=100',
  'users, newest 100': '/api/2/users?ordering=-id&limit=100',
  'users, tenth page by cursor': '/api/2/users?limit=90&ordering=username',
  'users, page at offset 900': '/api/2/users?offset=900&limit=90',
  'one user by name': '/api/2/users?username=seeded-0000500',
  'disabled users (1 of 100)': '/api/2/users?is_enabled=false&limit=5',
  'all disabled users (1 of 100)': '/api/2/users?is_enabled=false',
  'search, one user': '/api/2/users?filter=ed-0000500',
  'search, one user, by name': '/api/2/users?filter=ed-0000500&ordering=username',
  'search, no user': '/api/2/users?filter=none',
  'search, all users, page of 20': '/api/2/users?filter=seeded&limit=20',
  'search in groups': '/api/2/groups?filter=ed-0000005',
  'members of a group': '/api/2/users?groups=1',
  'audit events, default page': '/api/2/auth/audit-events',
  'audit events, page of 100': '/api/2/auth/audit-events?limit=100',
  'audit events of a user': '/api/2/auth/audit-events?user=1',
} as const

const print = (text: string) => process.stdout.write(text)
const engine = await startEngine({ dataDir: ':memory:' })
process.env = { ...withAws(process.env, { isOwnEngine: true }), DYNAMODB_ENDPOINT: engine.endpoint }
const service = await startService()
const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
const costs = new Map<string, (string | number)[]>()

const measure = async (path: string, name: string) => {
  const logStart = service.log.length
  const start = performance.now()
  const answer = await service.client('GET', path, { bearer })
  if (answer.status !== 200) throw new Error(`${name}: ${answer.text}`)
  const [cost] = costsSince(service, logStart)
  return { answer, figures: [cost?.calls ?? 0, cost?.units ?? 0, Math.round(performance.now() - start)] }
}

try {
  const group = { name: 'group', members: [{ id: 1 }] }
  await service.client('POST', '/api/2/groups', { bearer, body: group })
  let seeded = 0
  let groupsSeeded = 0
  for (const size of sizes) {
    await seedUsers(service, size - seeded, 1000 + seeded, (at) => ({
      username: `seeded-${String(seeded + at).padStart(7, '0')}`,
      is_enabled: at % 100 !== 0,
      full_name: `Person ${seeded + at} of the Directory`,
      email: `person.${seeded + at}@example.com`,
    }))
    const groups = Math.min(size, mostGroups)
    await seedGroups(service, groups - groupsSeeded, 1000 + groupsSeeded, (at) => [1000 + at, 1001 + at])
    for (let at = groupsSeeded; at < groups; at += 10)
      await addAuditEvents(service.services.table, 10, Date.now() - 3_600_000 + at)
    groupsSeeded = groups
    seeded = size
    for (const [name, path] of Object.entries(lists)) {
      let { answer, figures } = await measure(path, name)
      let next = findNextPath(answer.headers)
      for (let page = 1; name.includes('tenth') && next && page < 10; page++) {
        ;({ answer, figures } = await measure(next, name))
        next = findNextPath(answer.headers)
      }
      costs.set(name, [...(costs.get(name) ?? []), ...figures])
    }
  }
} finally {
  await service.close()
  await engine.close()
}
print(
  `\nLists: table calls, capacity units, and milliseconds of one page, with ${sizes.join(' and with ')} users.\n\n`,
)
print(
  textTable(
    ['list', ...sizes.flatMap((size) => [`calls ${size}`, 'units', 'ms'])],
    [...costs].map(([name, figures]) => [name, ...figures]),
  ),
)
