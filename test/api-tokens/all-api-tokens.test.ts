import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { apiTokenUsePrecisionMs } from '../../lib/kernel/limits/limits.ts'
import { hashCredential } from '../../lib/kernel/secrets/credentials.ts'
import { apiTokenKey } from '../../lib/kernel/table/keys/keys.ts'
import { isTimedIndexKey, timedListPartitions } from '../../lib/kernel/table/keys/listing-keys.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import { findNextPath } from '../support/next-page.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const path = '/api/2/api-tokens/all'
vi.useFakeTimers({ toFake: ['Date'] })
const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const ann = await addSignedIn(service, { email: 'ann@example.com' })
const bob = await addSignedIn(service)
afterAll(() => vi.useRealTimers())
const passTime = (ms: number) => vi.setSystemTime(Date.now() + ms)

interface Listed {
  readonly id: number
  readonly name: string
}
const create = async ({ bearer }: SignedInPerson, body: object): Promise<{ id: number; token: string }> => {
  passTime(1000)
  return (await service.client('POST', '/api/2/api-tokens', { bearer, body })).body
}
const list = (query = '', bearer = admin.bearer) => service.client('GET', path + query, { bearer })
const names = async (query = ''): Promise<readonly string[]> =>
  (await list(query)).body.map(({ name }: Listed) => name)
const keyOf = ({ user }: SignedInPerson, token: string) => apiTokenKey(user.id, hashCredential(token))
const itemOf = async (owner: SignedInPerson, token: string): Promise<Item> => {
  const item = await service.services.table.get(keyOf(owner, token))
  if (!item) throw new Error('the token does not exist')
  return item
}
describe('the API tokens of all users', () => {
  let [oldest, middle, newest] = [
    { id: 0, token: '' },
    { id: 0, token: '' },
    { id: 0, token: '' },
  ]
  beforeAll(async () => {
    oldest = await create(ann, { name: 'oldest', scopes: ['users:view'], expires: '2099-01-01T00:00:00Z' })
    middle = await create(bob, { name: 'middle' })
    newest = await create(ann, { name: 'newest', token: 'Aq3-c0mq9Vw7xT5rZk2LhN8pYd4sJf6GbEuRiOaWvQ' })
  })

  it('are listed with their owners, newest first, without their values', async () => {
    const { status, body, text } = await list()
    expect(status).toBe(200)
    expect(body.map(({ id }: Listed) => id)).toEqual([newest.id, middle.id, oldest.id])
    expect(body[2]).toEqual({
      id: oldest.id,
      name: 'oldest',
      scopes: ['users:view'],
      expires: '2099-01-01T00:00:00.000Z',
      created_at: expect.any(String),
      last_used_at: null,
      user: expect.objectContaining({
        id: ann.user.id,
        username: ann.user.username,
        email: 'ann@example.com',
      }),
    })
    for (const { token } of [oldest, middle, newest]) {
      expect(text).not.toContain(token)
      expect(text).not.toContain(hashCredential(token))
    }
    expect(await names('?ordering=created_at')).toEqual(['oldest', 'middle', 'newest'])
  })

  it('are read page by page, and a cursor of another query is refused', async () => {
    const seen: string[] = []
    let next: string | undefined = `${path}?limit=1`
    while (next) {
      const page = await service.client('GET', next, { bearer: admin.bearer })
      seen.push(...page.body.map(({ name }: Listed) => name))
      next = findNextPath(page.headers)
    }
    expect(seen).toEqual(['newest', 'middle', 'oldest'])
    expect(await names('?offset=1&limit=1')).toEqual(['middle'])
    const [, cursor] = /cursor=([^&>]+)/.exec(findNextPath((await list('?limit=1')).headers) ?? '') ?? []
    expect((await list(`?limit=1&ordering=created_at&cursor=${cursor}`)).status).toBe(400)
  })

  it('are found by their owner, page by page as well', async () => {
    expect(await names(`?user=${ann.user.id}`)).toEqual(['newest', 'oldest'])
    const first = await list(`?user=${ann.user.id}&limit=1`)
    const next = findNextPath(first.headers) ?? ''
    const second = await service.client('GET', next, { bearer: admin.bearer })
    expect([...first.body, ...second.body].map(({ id }: Listed) => id)).toEqual([newest.id, oldest.id])
    expect(await names('?user=2147483647')).toEqual([])
    expect((await list('?user=0')).status).toBe(400)
  })

  it('are found by name, limits and last use, alone and together', async () => {
    expect(await names('?name=LE')).toEqual(['middle'])
    expect(await names('?scope=users:view')).toEqual(['oldest'])
    expect(await names('?scope=users:manage')).toEqual([])
    expect(await names('?unlimited=true')).toEqual(['newest', 'middle'])
    expect(await names(`?unlimited=false&user=${ann.user.id}`)).toEqual(['oldest'])
    const since = new Date().toISOString()
    expect(await names(`?unused_since=${since}`)).toEqual(['newest', 'middle', 'oldest'])
    await service.client('GET', '/api/2/users/me', { bearer: middle.token })
    expect(await names(`?unused_since=${since}`)).toEqual(['newest', 'oldest'])
    expect(await names(`?unused_since=${since}&unlimited=true`)).toEqual(['newest'])
    expect(await names('?limit=1&name=e')).toEqual(['newest'])
    for (const wrong of ['unused_since=yesterday', 'unlimited=maybe', 'scopes=users:view'])
      expect((await list(`?${wrong}`)).status, wrong).toBe(400)
  })

  it('are only for administrators', async () => {
    const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
    const scoped = await create(admin, { name: 'scoped', scopes: ['api-tokens:view'] })
    const full = await create(admin, { name: 'full', scopes: ['api-tokens:view', 'system:admin-access'] })
    expect((await service.client('GET', path)).status).toBe(401)
    for (const bearer of [ann.bearer, manager.bearer, scoped.token, newest.token])
      expect((await list('', bearer)).status).toBe(403)
    expect((await list('', full.token)).status).toBe(200)
    for (const { id } of [scoped, full])
      await service.client('DELETE', `/api/2/api-tokens/${id}`, { bearer: admin.bearer })
    await expect.poll(() => names()).toEqual(['newest', 'middle', 'oldest'])
  })

  it('change nothing about the list of own tokens', async () => {
    const { body } = await service.client('GET', '/api/2/api-tokens', { bearer: ann.bearer })
    expect(body.map(({ name }: Listed) => name)).toEqual(['oldest', 'newest'])
    expect(body[0]).not.toHaveProperty('user')
  })

  it('write nothing to the index when a token is used or renamed', async () => {
    const before = await itemOf(ann, newest.token)
    expect(timedListPartitions('api-token')).toContain(before['lpk'])
    expect(isTimedIndexKey(String(before['lsk']))).toBe(true)
    for (const _ of ['the first hour', 'the second hour']) {
      passTime(apiTokenUsePrecisionMs)
      expect((await service.client('GET', '/api/2/users/me', { bearer: newest.token })).status).toBe(200)
      expect((await itemOf(ann, newest.token))['lastUsedAt']).toBe(Date.now())
    }
    const renamed = { bearer: ann.bearer, body: { name: 'newest' } }
    await service.client('PATCH', `/api/2/api-tokens/${newest.id}`, renamed)
    const { lpk, lsk } = await itemOf(ann, newest.token)
    expect({ lpk, lsk }).toEqual({ lpk: before['lpk'], lsk: before['lsk'] })
  })

  it('are revoked one by one, and leave the list with their owner', async () => {
    const revoke = `/api/2/api-tokens/${middle.id}?user=${bob.user.id}`
    expect((await service.client('DELETE', revoke, { bearer: admin.bearer })).status).toBe(204)
    expect((await service.client('GET', '/api/2/users/me', { bearer: middle.token })).status).toBe(401)
    await expect.poll(() => names()).toEqual(['newest', 'oldest'])
    await service.client('DELETE', `/api/2/users/${ann.user.id}`, { bearer: admin.bearer })
    await expect.poll(() => names()).toEqual([])
  })
})
