import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const path = '/api/2/protected-apis'
const call = callAs(service, admin)
const texts = { en: 'Read films', de: 'Filme lesen' }
const films = {
  permissions: [
    { name: 'films:view', texts },
    { name: 'films:edit', texts: { en: 'Change films' } },
  ],
  scopes: [{ name: 'films.read', texts, permissions: ['films:view'] }],
}
const create = (body: object = {}) =>
  call('POST', path, { name: `a-${randomUUID()}`, audience: `https://${randomUUID()}.example`, ...body })

describe('an API', () => {
  it('is registered, read, listed, changed and deleted', async () => {
    const audience = `https://${randomUUID()}.example/api`
    const name = `a-${randomUUID()}`
    const created = await create({ name, audience, ...films })
    expect([created.status, created.headers.get('location')]).toEqual([201, `${path}/${created.body.id}`])
    expect(created.body).toEqual({
      unregistered_clients: false,
      ...{ id: expect.any(Number), name, audience, created_at: expect.any(String) },
      ...films,
    })
    const own = `${path}/${created.body.id}`
    expect((await call('GET', own)).body).toEqual(created.body)
    expect((await call('GET', `${path}?filter=${name}`)).body).toEqual([created.body])
    const scopes = [{ name: 'films.write', texts: { en: 'Edit' }, permissions: ['films:edit', 'films:view'] }]
    const changed = await call('PATCH', own, { name: `b-${name}`, scopes })
    expect(changed.body).toEqual({ ...created.body, name: `b-${name}`, scopes })
    expect((await call('PATCH', own, changed.body)).body).toEqual(changed.body)
    const events = (await call('GET', `/api/2/auth/audit-events?event=protected_api.changed`)).body
    expect(events[0].target.split(' ').slice(1).sort()).toEqual(['name', 'scopes'])
    expect((await call('DELETE', own)).status).toBe(204)
    for (const method of ['GET', 'DELETE']) expect((await call(method, own)).status).toBe(404)
    expect((await create({ name, audience })).status).toBe(201)
  })

  it('has a name and an audience of its own, also among 20 that are registered at once', async () => {
    const audience = `urn:${randomUUID()}`
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ audience })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
    const name = `a-${randomUUID()}`
    expect([(await create({ name })).status, (await create({ name: name.toUpperCase() })).status]).toEqual([
      201, 409,
    ])
  })

  it('shows those who manage users what its permissions mean, and no one else', async () => {
    const { id } = (await create(films)).body
    const reader = await addSignedIn(service, { permissions: ['users:view'] })
    const user = await addSignedIn(service)
    for (const target of [path, `${path}/${id}`]) {
      expect((await call('GET', target, undefined, reader)).status).toBe(200)
      expect((await call('GET', target, undefined, user)).status).toBe(403)
    }
    expect((await call('PATCH', `${path}/${id}`, { scopes: [] }, reader)).status).toBe(403)
  })

  it('makes its permissions known as scopes of API tokens', async () => {
    const scope = `films:${randomUUID()}`
    const request = { name: 'robot', scopes: [scope] }
    expect((await call('POST', '/api/2/api-tokens', request)).body.errors[0].message).toContain(
      'unknown scope',
    )
    await create({ permissions: [{ name: scope, texts }] })
    expect((await call('POST', '/api/2/api-tokens', request)).status).toBe(201)
  })

  it('cannot be one of more than 100, also if many are registered at once', async () => {
    const list = async () => (await call('GET', `${path}?limit=100`)).body
    const free = 100 - (await list()).length
    const answers = await Promise.all(Array.from({ length: free + 10 }, () => create()))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(free)
    expect(answers.find(({ status }) => status === 409)?.body.detail).toContain('100 APIs')
    for (const { id } of await list()) expect((await call('DELETE', `${path}/${id}`)).status).toBe(204)
    expect((await create()).status).toBe(201)
  })
})

describe('it is refused to register an API', () => {
  const permission = (name: string) => ({ name, texts: { en: 'x' } })
  const scope = (name: string, permissions: readonly string[] = []) => ({ ...permission(name), permissions })
  const repeat = <Entry>(count: number, make: (at: number) => Entry) =>
    Array.from({ length: count }, (_, at) => make(at))
  it.each([
    ['the service itself', { audience: 'https://auth.example.com' }, 'audience'],
    ['userinfo', { audience: 'https://auth.example.com/oauth2/userinfo' }, 'audience'],
    ['a guest audience', { audience: 'urn:latchkey:guests:x' }, 'audience'],
    ['an audience with a space', { audience: 'a b' }, 'audience'],
    ['an audience with a wildcard', { audience: 'https://*.example' }, 'audience'],
    ['an empty audience', { audience: '' }, 'audience'],
    ['a long audience', { audience: 'a'.repeat(256) }, 'audience'],
    ['all permissions', { permissions: [permission('system:admin-access')] }, 'permissions.0.name'],
    ['a permission twice', { permissions: [permission('a:b'), permission('a:b')] }, 'permissions.1.name'],
    ['a permission of another form', { permissions: [permission('__proto__')] }, 'permissions.0.name'],
    ['61 permissions', { permissions: repeat(61, (at) => permission(`a:b${at}`)) }, 'permissions'],
    ['a scope of OpenID Connect', { scopes: [scope('offline_access')] }, 'scopes.0.name'],
    ['a scope twice', { scopes: [scope('a'), scope('a')] }, 'scopes.1.name'],
    ['a scope with a space', { scopes: [scope('a b')] }, 'scopes.0.name'],
    ['a scope of a prototype', { scopes: [scope('__proto__')] }, 'scopes.0.name'],
    ['31 scopes', { scopes: repeat(31, (at) => scope(`s${at}`)) }, 'scopes'],
    ['a permission of another API', { scopes: [scope('a', ['users:manage'])] }, 'scopes.0.permissions.0'],
    ['no English text', { scopes: [{ ...scope('a'), texts: { de: 'x' } }] }, 'scopes.0.texts.en'],
    ['another language', { scopes: [{ ...scope('a'), texts: { en: 'x', xx: 'y' } }] }, 'scopes.0.texts.xx'],
    ['a long text', { scopes: [{ ...scope('a'), texts: { en: 'x'.repeat(121) } }] }, 'scopes.0.texts.en'],
  ])('with %s', async (_, body, field) => {
    const { status, body: problem } = await create(body)
    expect(status).toBe(400)
    expect(problem.errors.map((error: { field: string }) => error.field)).toEqual([field])
  })

  it('or to change its audience', async () => {
    const { id } = (await create()).body
    const { status, body } = await call('PATCH', `${path}/${id}`, { audience: 'urn:other' })
    expect([status, body.errors]).toEqual([400, [{ field: 'audience', message: 'cannot be changed' }]])
  })
})
