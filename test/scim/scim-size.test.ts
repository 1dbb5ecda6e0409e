import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { buildNewScimUserSteps, findScimUser } from '../../lib/features/provisioning/users.records.ts'
import { mintScimId } from '../../lib/features/scim/scim-ids.ts'
import { addSignedIn } from '../support/people.ts'
import { addDirectory, schemas, storeConnection } from '../support/scim.ts'
import { useWatchedService } from '../support/watched-table.ts'

/*
 * What large directories cost. `SCIM_PEOPLE=50000 SCIM_MEMBERS=10000 npx vitest run --project unit test/scim/scim-size.test.ts` takes
 * directories of the size that Latchkey promises.
 */

const people = Number(process.env['SCIM_PEOPLE'] ?? 500)
const members = Number(process.env['SCIM_MEMBERS'] ?? 200)
const perPage = 100

const service = await useWatchedService({ RATE_LIMITS: 'scimRequests=1000000/10' })
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const startDirectory = async () => addDirectory(service, await storeConnection(service), {}, admin)

/** The table calls of some work, each with the number of its writes. A new window of the rate limit can begin at any time. */
const listCalls = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  const calls: string[] = []
  service.watch(({ action, input }) => {
    if (JSON.stringify(input).includes('"rate#')) return undefined
    const { TransactItems: items } = input as { readonly TransactItems?: readonly object[] }
    calls.push(items ? `${action} ${items.length}` : action)
    return undefined
  })
  await work()
  service.restore()
  return calls.sort()
}

/** Stores people as a directory sends them. */
const storePeople = async (
  { connectionId, addUser }: Awaited<ReturnType<typeof startDirectory>>,
  count: number,
): Promise<readonly string[]> => {
  const { body } = await addUser({ userName: randomUUID() })
  const first = await findScimUser(table, connectionId, body.id)
  if (!first) throw new Error('the person was not stored')
  const ids = [first.id]
  while (ids.length < count) {
    const batch = Array.from({ length: Math.min(50, count - ids.length) }, () => mintScimId(Date.now()))
    await Promise.all(
      batch.map((id) => table.transact(buildNewScimUserSteps({ ...first, id, userName: randomUUID() }))),
    )
    ids.push(...batch)
  }
  return ids
}

it(
  `reads ${people} people with the same calls on each page, by number and by cursor`,
  async () => {
    const directory = await startDirectory()
    const stored = await storePeople(directory, people)
    const read = async (by: 'number' | 'cursor') => {
      const seen: string[] = []
      const costs = new Set<string>()
      let place = by === 'number' ? 'startIndex=1' : 'cursor='
      while (seen.length < people) {
        const calls = await listCalls(async () => {
          const { status, text, body } = await directory.call('GET', `/Users?count=${perPage}&${place}`)
          expect(status, text).toBe(200)
          seen.push(...body.Resources.map(({ id }: { readonly id: string }) => id))
          place = by === 'number' ? `startIndex=${seen.length + 1}` : `cursor=${body.nextCursor}`
        })
        // The first page has no place before it, and the last one keeps none for a next one.
        if (seen.length > perPage && seen.length < people) costs.add(calls.join(', '))
      }
      expect([...seen].sort()).toEqual([...stored].sort())
      return [...costs]
    }
    expect(await read('number')).toHaveLength(1)
    expect(await read('cursor')).toHaveLength(1)
  },
  20 * 60_000,
)

it(
  `changes a member of a group of ${members} with the writes of an empty one`,
  async () => {
    const directory = await startDirectory()
    const ids = await storePeople(directory, members + 2)
    const addGroup = async () => {
      const fields = { schemas: [schemas.group], displayName: randomUUID() }
      return (await directory.call('POST', '/Groups', fields)).body.id as string
    }
    const patch = async (group: string, op: 'add' | 'remove', value: readonly string[]) => {
      const change =
        op === 'add'
          ? { op, path: 'members', value: value.map((id) => ({ value: id })) }
          : { op, path: `members[value eq "${value[0]}"]` }
      const { status, text } = await directory.call('PATCH', `/Groups/${group}`, {
        ...{ schemas: [schemas.patch], Operations: [change] },
      })
      expect(status, text).toBe(204)
    }
    const [small, large] = [await addGroup(), await addGroup()]
    for (let at = 0; at < members; at += 1000)
      await patch(large, 'add', ids.slice(at, Math.min(members, at + 1000)))
    const [one = ''] = ids.slice(-1)
    for (const op of ['add', 'remove'] as const)
      expect(await listCalls(() => patch(large, op, [one]))).toEqual(
        await listCalls(() => patch(small, op, [one])),
      )
  },
  20 * 60_000,
)
