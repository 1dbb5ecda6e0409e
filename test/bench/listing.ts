import { withAws } from '../../infra/local/aws-environment.ts'
import { startEngine } from '../../infra/local/dynamodb.ts'
import { costsSince, nextOf, pathOf, seedUsers } from '../support/directory.ts'
import { addSignedIn } from '../support/people.ts'
import { startService } from '../support/service.ts'
import { textTable } from './text-table.ts'

/* Prints the cost of one page of each list, with a few users and with very many. Both costs should be the same. */

const sizes = [1000, 100_000]
const lists = {
  'users, first page of 100': '/api/2/users',
  'users, by name': '/api/2/users?ordering=username',
  'users, newest first': '/api/2/users?ordering=-id',
  'users, tenth page by cursor': '/api/2/users?limit=90&ordering=username',
  'users, page at offset 900': '/api/2/users?offset=900&limit=90',
  'one user by name': '/api/2/users?username=seeded-0000500',
  'disabled users (1 of 100)': '/api/2/users?is_enabled=false&limit=5',
  'members of a group': '/api/2/users?groups=1',
  'audit events of a user': '/api/2/auth/audit-events?user=1',
} as const

const print = (text: string) => process.stdout.write(text)
const engine = await startEngine({ dataDir: ':memory:' })
process.env = { ...withAws(process.env, true), DYNAMODB_ENDPOINT: engine.endpoint }
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
  for (const size of sizes) {
    await seedUsers(service, size - seeded, 1000 + seeded, (at) => ({
      username: `seeded-${String(seeded + at).padStart(7, '0')}`,
      isEnabled: at % 100 !== 0,
    }))
    seeded = size
    for (const [name, path] of Object.entries(lists)) {
      let { answer, figures } = await measure(path, name)
      for (let page = 1; name.includes('tenth') && page < 10; page++)
        ({ answer, figures } = await measure(pathOf(nextOf(answer.headers) ?? ''), name))
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
