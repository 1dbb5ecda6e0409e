import { expect } from 'vitest'
import type { Json } from './client.ts'
import { allPages } from './directory.ts'
import type { TestService } from './service.ts'

/** Reads the totals of the directory. */
export const getTotals = async ({ client }: TestService, bearer: string): Promise<Json> => {
  const { status, body, text } = await client('GET', '/api/2/totals', { bearer })
  expect(status, text).toBe(200)
  return body
}

/** Compares the totals with the lists, which are read to their end. */
export const expectExactTotals = async (service: TestService, bearer: string): Promise<Json> => {
  const count = async (path: string) => (await allPages(service, path, bearer)).flat().length
  const listed = {
    users: await count('/api/2/users?is_guest=false'),
    guests: await count('/api/2/users?is_guest=true'),
    groups: await count('/api/2/groups?include_members=false'),
  }
  const totals = await getTotals(service, bearer)
  expect(totals).toEqual(listed)
  return totals
}
