import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const path = '/api/2/users/me'
const service = await useService()
const person = await addSignedIn(service, { email: `${randomUUID()}@example.com` })

const call = (method: string, body?: object, at = path) =>
  service.client(method, at, { bearer: person.bearer, body })
const profile = {
  full_name: 'Mary Jackson',
  language: 'fr',
  default_page: '/wind',
  fm_bookmarks: ['/tunnel'],
}
const empty = { full_name: null, language: null, default_page: '/', fm_bookmarks: [] }

it('keeps a language that published clients do not know, until one of them chooses another', async () => {
  const patched = await call('PATCH', { page_language: 'it' })
  expect(patched.body).toMatchObject({ language: null, page_language: 'it' })
  const { page_language: _, ...known } = patched.body
  expect((await call('PATCH', { language: null })).body).toMatchObject({ page_language: 'it' })
  const { full_name, language, default_page, fm_bookmarks } = known
  const replaced = await call('PUT', { full_name, language, default_page, fm_bookmarks })
  expect(replaced.body).toMatchObject({ language: null, page_language: 'it' })
  expect((await call('PATCH', { ...patched.body, language: 'de' })).body).toMatchObject({
    language: 'de',
    page_language: 'de',
  })
  expect((await call('PATCH', { page_language: null })).body).toMatchObject({
    language: null,
    page_language: null,
  })
})

describe('update_profile', () => {
  it('replaces the profile, and omitted fields return to their defaults', async () => {
    const replaced = await call('PUT', profile)
    expect([replaced.status, replaced.body]).toEqual([200, (await call('GET')).body])
    expect(replaced.body).toMatchObject(profile)
    expect((await call('PUT', { full_name: 'Mary' })).body).toMatchObject({ ...empty, full_name: 'Mary' })
    expect((await call('PUT', {})).body).toMatchObject(empty)
  })

  it('accepts a profile as it was read, and the avatar of published clients', async () => {
    await call('PUT', profile)
    const read = (await call('GET')).body
    const answer = await call('PUT', { ...read, avatar: 'data:image/png;base64,AA==' })
    expect([answer.status, answer.body]).toEqual([200, read])
  })

  it('changes no rights, names, or addresses', async () => {
    const before = (await call('GET')).body
    const wanted = { ...before, email: 'mallory@example.com', username: 'mallory', id: 1 }
    const answer = await call('PUT', { ...wanted, effective_permissions: ['system:admin-access'] })
    expect([answer.status, answer.body]).toEqual([200, before])
  })

  it.each([
    ['permissions', ['system:admin-access']],
    ['is_enabled', false],
    ['groups', [1]],
    ['password', 'secret'],
    ['default_page', ''],
    ['full_name', 'x'.repeat(256)],
    ['language', 'tlh'],
    ['fm_bookmarks', [1]],
  ])('rejects %s %j', async (field, value) => {
    const answer = await call('PUT', { [field]: value })
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].field).toMatch(new RegExp(`^${field}`))
  })

  it('rejects a body that is not an object, and a body above 64 KiB', async () => {
    expect((await call('PUT', [])).status).toBe(400)
    expect((await call('PUT', { fm_bookmarks: ['x'.repeat(70_000)] })).status).toBe(413)
  })

  it('writes nothing if nothing changes', async () => {
    await call('PUT', profile)
    const version = async () =>
      (await service.services.table.get({ pk: `user#${person.user.id}`, sk: 'user' }))?.['version']
    const before = await version()
    expect((await call('PUT', profile)).status).toBe(200)
    expect(await version()).toBe(before)
  })

  it('lets one of several concurrent replacements win completely', async () => {
    const bodies = ['a', 'b', 'c', 'd'].map((name) => ({ full_name: name, default_page: `/${name}` }))
    const statuses = (await Promise.all(bodies.map((body) => call('PUT', body)))).map(({ status }) => status)
    expect(statuses).toContain(200)
    expect(statuses.every((status) => [200, 409].includes(status))).toBe(true)
    const { full_name, default_page } = (await call('GET')).body
    expect(default_page).toBe(`/${full_name}`)
  })
})

describe('get_current_user', () => {
  it('accepts the list parameters that published clients send, and ignores them', async () => {
    const plain = (await call('GET')).body
    const answer = await call('GET', undefined, `${path}?limit=1&offset=100000&ordering=-username`)
    expect([answer.status, answer.body]).toEqual([200, plain])
  })

  it.each(['limit=x', 'offset=-1', 'cursor=x', 'full_name=x', 'limit=1&limit=1'])(
    'rejects %s',
    async (query) => {
      expect((await call('GET', undefined, `${path}?${query}`)).status).toBe(400)
    },
  )
})
