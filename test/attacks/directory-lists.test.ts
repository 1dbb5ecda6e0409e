import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* What strangers, other users and small tokens learn from the filters and totals of the directory. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const plain = await addSignedIn(service, { permissions: ['users:manage', 'downloads:view'] })

const get = (path: string, bearer?: string) =>
  service.client('GET', `/api/2/${path}`, bearer === undefined ? {} : { bearer })
const paths = [
  'totals',
  'users?connection=1',
  'users?created_since=2020-01-01T00:00:00Z',
  'users?permission=system:admin-access',
]

describe('totals and filters of users', () => {
  it.each(paths)('show %s only to those who may see users', async (path) => {
    expect((await get(path)).status).toBe(401)
    expect((await get(path, 'lks_madeUp')).status).toBe(401)
    const answer = await get(path, plain.bearer)
    expect([answer.status, answer.body.code]).toEqual([403, 'permission_denied'])
  })

  it.each(paths)('show %s to an API token only with the scope users:view', async (path) => {
    const create = async (scopes: readonly string[]): Promise<string> =>
      (
        await service.client('POST', '/api/2/api-tokens', {
          bearer: admin.bearer,
          body: { name: randomUUID(), scopes },
        })
      ).body.token
    const refused = await get(path, await create(['users:manage', 'audit-events:view']))
    expect([refused.status, refused.body.reason]).toEqual([403, 'insufficient_scope'])
    expect((await get(path, await create(['users:view']))).status).toBe(200)
  })

  it.each([
    ...['', '0', '-1', '1.5', '01', ' 1', '1,2', '2147483648', '9'.repeat(1000), '__proto__', 'toString'].map(
      (value) => ['connection', value] as const,
    ),
    ...['', '0', 'yesterday', '2020-13-01T00:00:00Z', '2020-01-01', '__proto__', '9'.repeat(5000)].flatMap(
      (value) => [['created_since', value] as const, ['created_before', value] as const],
    ),
  ])('refuse %s=%j, and name the parameter', async (name, value) => {
    const answer = await get(`users?${new URLSearchParams({ [name]: value })}`, admin.bearer)
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual([name])
  })

  it.each([
    'connection=1&connection=2',
    'created_since=2020-01-01T00:00:00Z&created_since=2021-01-01T00:00:00Z',
  ])('refuse a repeated parameter: %s', async (query) => {
    expect((await get(`users?${query}`, admin.bearer)).status).toBe(400)
  })

  it.each(['totals?connection=1', 'totals?__proto__=1', 'totals?limit=1'])(
    'refuse unknown parameters: %s',
    async (path) => {
      expect((await get(path, admin.bearer)).status).toBe(400)
    },
  )

  it('find no one by the name of a built-in member', async () => {
    for (const name of ['__proto__', 'constructor', 'hasOwnProperty'])
      expect((await get(`users?permission=${name}`, admin.bearer)).body).toEqual([])
  })

  it('are not moved by a refused creation or deletion', async () => {
    const totals = async () => (await get('totals', admin.bearer)).body
    const before = await totals()
    const body = { username: randomUUID(), permissions: ['system:admin-access'], groups: [] }
    await service.client('POST', '/api/2/users', { bearer: plain.bearer, body })
    await service.client('POST', '/api/2/users', { body })
    await service.client('DELETE', `/api/2/users/${admin.user.id}`, { bearer: plain.bearer })
    await service.client('DELETE', '/api/2/users/2147483647', { bearer: admin.bearer })
    await service.client('DELETE', '/api/2/groups/2147483647', { bearer: admin.bearer })
    await service.client('POST', '/api/2/groups', { bearer: admin.bearer, body: { name: ' ' } })
    expect(await totals()).toEqual(before)
  })
})
