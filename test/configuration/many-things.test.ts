import { expect, it } from 'vitest'
import type { Table } from '../../lib/kernel/table/table.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { apply, unique } from './support.ts'

/* A large file costs what its changes cost: nothing is written twice, and nothing is read for each of the others. */

const service = await useService()
const call = callAs(service, await addSignedIn(service, { permissions: ['system:admin-access'] }))

/** Counts what a table is asked for: items that are read, and calls that write. */
const countCalls = (table: Table) => {
  const counts = { reads: 0, lists: 0, writes: 0 }
  const counting: Table = {
    ...table,
    get: (key) => {
      counts.reads++
      return table.get(key)
    },
    getMany: (keys) => {
      counts.reads += keys.length
      return table.getMany(keys)
    },
    list: (...given) => {
      counts.lists++
      return table.list(...given)
    },
    page: (query) => {
      counts.lists++
      return table.page(query)
    },
    transact: (...given) => {
      counts.writes++
      return table.transact(...given)
    },
    update: (...given) => {
      counts.writes++
      return table.update(...given)
    },
    put: (item) => {
      counts.writes++
      return table.put(item)
    },
  }
  return { counts, services: { ...service.services, table: counting } }
}

const owner = unique('many')
const createMany = (count: number, kind: string, build: (key: string) => object) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${owner}-${kind}-${at}`, build(`${owner}-${kind}-${at}`)]),
  )

it('applies 500 things with the writes of their operations and one note each, and reads each once to find no change', async () => {
  const audience = `https://${owner}.example.com/api`
  const document = {
    ...{ schema_version: 1, owner },
    apis: { [owner]: { name: owner, audience } },
    groups: createMany(199, 'group', (name) => ({ name, permissions: ['films:view'] })),
    user_templates: createMany(100, 'template', (name) => ({ name, groups: [`${owner}-group-0`] })),
    clients: createMany(200, 'client', (name) => ({
      ...{ name, type: 'public', redirect_uris: ['https://films.example.com/callback'] },
      apis: [{ audience, scopes: [] }],
    })),
  }
  const first = countCalls(service.services.table)
  expect(await apply(first.services, document)).toHaveLength(500)
  expect(first.counts.writes).toBe(2 * 500)

  const second = countCalls(service.services.table)
  expect(await apply(second.services, document)).toEqual([])
  expect(second.counts.writes).toBe(0)
  expect(second.counts.reads).toBeLessThanOrEqual(500)
  expect(second.counts.lists).toBeLessThan(5)

  // One change costs one change, and a look at those that refer to it.
  const [key = ''] = Object.keys(document.clients)
  const clients = { ...document.clients, [key]: { ...document.clients[key], access_token_lifetime: 900 } }
  const third = countCalls(service.services.table)
  expect(await apply(third.services, { ...document, clients })).toHaveLength(1)
  expect(third.counts.writes).toBe(2)
  expect(third.counts.reads).toBeLessThanOrEqual(500 + 20)
  expect((await call('GET', `oidc-clients?filter=${owner}&limit=100`)).body).toHaveLength(100)
})
