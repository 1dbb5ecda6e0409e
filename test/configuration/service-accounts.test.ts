import { describe, expect, it } from 'vitest'
import { applyByFunction } from '../support/config-function.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { unique } from './support.ts'

/* The account of a program: no person signs in to it, and its API token does what the file says. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)

const documentOf = (key: string, fields: object = {}) => ({
  schema_version: 1,
  owner: `${key}-file`,
  groups: { [key]: { name: key, permissions: ['users:view'] } },
  service_accounts: {
    [key]: {
      ...{ name: 'Media library', permissions: ['media:access'], groups: [key] },
      ...{ scopes: ['media:access', 'users:view'], ...fields },
    },
  },
})
const start = async () => {
  const key = unique('links')
  const { status, body } = await applyByFunction(service, documentOf(key))
  expect(status).toBe(200)
  const { token } = body.applied[1].outputs
  return { key, token, body }
}
const findAccount = async (key: string) =>
  (await call('GET', `users?filter=${key}`)).body.find(
    ({ username }: { readonly username: string }) => username === key,
  )
const view = async (token: string) => (await service.client('GET', '/api/2/users', { bearer: token })).status
const share = async (bearer: string) => {
  const body = { bundles: [{ id: 7, name: 'The Kid' }], permissions: { allow_read: true } }
  return (await service.client('POST', '/api/2/auth/access-tokens', { bearer, body })).status
}

describe('a service account of a file', () => {
  it('has a token that does what the file says, which is shown once', async () => {
    const { key, token, body } = await start()
    expect(token).toMatch(/^lkp_/)
    expect(JSON.stringify(service.log)).not.toContain(token)
    expect(body.outputs.service_accounts).toEqual({ [key]: { username: key } })
    expect([await view(token), await share(token)]).toEqual([200, 201])
    const again = await applyByFunction(service, documentOf(key))
    expect(again.changes.map(({ action }) => action)).toEqual(['none', 'none'])
    expect(again.body.applied).toEqual([])
    const { id } = await findAccount(key)
    const user = (await call('GET', `users/${id}`)).body
    expect(user).toMatchObject({ full_name: 'Media library', permissions: ['media:access'], email: null })
  })

  it('keeps its token when its scopes change', async () => {
    const { key, token } = await start()
    const { changes, body } = await applyByFunction(service, documentOf(key, { scopes: ['users:view'] }))
    expect(changes[1]).toMatchObject({ action: 'update', broadens: false, fields: [{ name: 'scopes' }] })
    expect(body.applied[0].outputs).toEqual({})
    expect([await view(token), await share(token)]).toEqual([200, 403])
    const wider = await applyByFunction(service, documentOf(key))
    expect(wider.changes[1]).toMatchObject({ action: 'update', broadens: true })
    expect([await view(token), await share(token)]).toEqual([200, 201])
  })

  it('is stopped by a person, and works again with another token when the file is applied', async () => {
    const { key, token } = await start()
    const { id } = await findAccount(key)
    const [{ id: tokenId }] = (await call('GET', `api-tokens?user=${id}`)).body
    expect((await call('DELETE', `api-tokens/${tokenId}?user=${id}`)).status).toBe(204)
    expect(await view(token)).toBe(401)
    const renewed = await applyByFunction(service, documentOf(key))
    const other = renewed.body.applied[0].outputs.token
    expect([await view(token), await view(other)]).toEqual([401, 200])
    await call('PATCH', `users/${id}`, { is_enabled: false, permissions: ['users:edit'] })
    expect(await view(other)).toBe(401)
    expect((await applyByFunction(service, documentOf(key))).status).toBe(200)
    expect((await call('GET', `users/${id}`)).body).toMatchObject({
      ...{ is_enabled: true, permissions: ['media:access'] },
    })
  })

  it('is disabled when the file no longer has it, and its token ends', async () => {
    const { key, token } = await start()
    const { service_accounts: _, ...rest } = documentOf(key)
    expect((await applyByFunction(service, rest, { prune: true })).status).toBe(200)
    expect(await view(token)).toBe(401)
    expect(await findAccount(key)).toBeDefined()
    const { id } = await findAccount(key)
    expect((await call('GET', `users/${id}`)).body).toMatchObject({ is_enabled: false, permissions: [] })
    expect((await call('GET', `api-tokens?user=${id}`)).body).toEqual([])
    expect((await applyByFunction(service, documentOf(key))).status).toBe(400)
  })

  it.each<readonly [title: string, fields: object]>([
    ['an administrator', { permissions: ['system:admin-access'] }],
    ['with an unknown scope', { scopes: ['films:unknown'] }],
    ['without scopes', { scopes: undefined }],
    ['that is limited to nothing that exists', { scopes: null }],
    ['with a password', { password: 'violin harbor mustard' }],
    ['with a group that no document has', { groups: ['nobody'] }],
    ['that takes over an account', { adopt: true }],
  ])('cannot be %s', async (_, fields) => {
    const key = unique('links')
    expect((await applyByFunction(service, documentOf(key, fields))).status).toBe(400)
    expect(await findAccount(key)).toBeUndefined()
  })

  it('cannot be a person, also one who was disabled', async () => {
    const key = unique('ada')
    const { user } = await addPerson(service, { username: key })
    for (const is_enabled of [true, false]) {
      await call('PATCH', `users/${user.id}`, { is_enabled })
      const refused = await applyByFunction(service, documentOf(key))
      expect(refused.status).toBe(400)
      expect((await call('GET', `users/${user.id}`)).body).toMatchObject({ is_enabled, permissions: [] })
    }
  })
})
