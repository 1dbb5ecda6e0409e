import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { buildUser } from '../../lib/accounts/users/new-user.ts'
import { importUser } from '../../lib/features/directory/users/import-user.ts'
import { counterKey } from '../../lib/kernel/table/keys/keys.ts'
import { EditConflict } from '../../lib/kernel/table/transaction.ts'
import { makeCertificate } from '../support/certificates.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { hasStep, useWatchedService } from '../support/watched-table.ts'

/* Another request deletes an item after it was read and before the write that depends on it. */

const service = await useWatchedService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
afterEach(() => service.restore())

const call = (method: string, path: string, body?: object) =>
  service.client(method, `/api/2${path}`, { bearer: admin.bearer, body })
const statusOf = async (method: string, path: string, body?: object) =>
  (await call(method, path, body)).status
const addGroup = async (): Promise<number> => (await call('POST', '/groups', { name: randomUUID() })).body.id

describe('a group that is deleted concurrently', () => {
  const expectNothingLeft = async (group: number) => {
    expect(await service.services.table.list(`group#${group}`, '')).toEqual([])
    expect(await statusOf('DELETE', `/groups/${group}`)).toBe(404)
  }
  /** Deletes the group just before a member is added to it. Returns the statuses of the deletion. */
  const deleteBeforeJoining = (group: number) => {
    const statuses: number[] = []
    service.justBefore(hasStep('Put', `group#${group}`), async () =>
      statuses.push(await statusOf('DELETE', `/groups/${group}`)),
    )
    return statuses
  }

  it('gets no member from a change of a user', async () => {
    const group = await addGroup()
    const { user } = await addPerson(service)
    const deleted = deleteBeforeJoining(group)
    expect(await statusOf('PATCH', `/users/${user.id}`, { groups: [group], full_name: 'New' })).toBe(409)
    expect(deleted).toEqual([204])
    expect(await findUser(service.services.table, user.id)).toMatchObject({ groups: [], full_name: null })
    await expectNothingLeft(group)
  })

  it('gets no member from a new user', async () => {
    const group = await addGroup()
    const deleted = deleteBeforeJoining(group)
    const body = { username: randomUUID(), permissions: [], groups: [group] }
    expect(await statusOf('POST', '/users', body)).toBe(409)
    expect(deleted).toEqual([204])
    expect((await call('POST', '/users', { ...body, groups: [] })).body.groups).toEqual([])
    await expectNothingLeft(group)
  })

  it('gets no member from an import', async () => {
    const group = await addGroup()
    const deleted = deleteBeforeJoining(group)
    const { services } = service
    const { first: id } = await services.table.nextIds(counterKey('user'))
    const user = buildUser({ username: randomUUID(), groups: [group] })
    const context = { address: '', userAgent: '', requestId: '', actor: null, at: Date.now() }
    await expect(
      importUser(
        services,
        id,
        { user, totpKey: undefined, recoveryCodes: [], passkeys: [], identities: [], origin: 'a line' },
        context,
      ),
    ).rejects.toBeInstanceOf(EditConflict)
    expect(deleted).toEqual([204])
    expect(await findUser(services.table, id)).toBeUndefined()
    await expectNothingLeft(group)
  })
})

it('changes 80 groups, email, username, and permissions of a user in one transaction', async () => {
  const groups: number[] = []
  for (let at = 0; at < 80; at++) groups.push(await addGroup())
  const { user } = await addPerson(service, {
    groups: groups.slice(0, 40),
    email: `${randomUUID()}@example.com`,
  })
  const body = {
    groups: groups.slice(40),
    email: `${randomUUID()}@example.com`,
    username: randomUUID(),
    permissions: ['system:admin-access'],
  }
  expect((await call('PATCH', `/users/${user.id}`, body)).body).toMatchObject(body)
})

describe('a user template', () => {
  it('is kept if a SAML provider starts to use it concurrently', async () => {
    const template = (await call('POST', '/user-templates', { name: randomUUID() })).body.id
    const urls = { entity_id: `urn:${randomUUID()}`, sso_url: 'https://idp.example.com/sso' }
    const certificate = (await makeCertificate()).pem
    const provider = (await call('POST', '/auth/saml', { ...urls, certificate })).body.id
    const given: number[] = []
    service.justBefore(hasStep('Delete', `user-template#${template}`), async () =>
      given.push(await statusOf('PATCH', `/auth/saml/${provider}`, { user_template: template })),
    )
    expect(await statusOf('DELETE', `/user-templates/${template}`)).toBe(409)
    expect(given).toEqual([200])
    const again = await call('DELETE', `/user-templates/${template}`)
    expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining(String(provider))])
    expect(await statusOf('PATCH', `/auth/saml/${provider}`, { user_template: null })).toBe(200)
    expect(await statusOf('DELETE', `/user-templates/${template}`)).toBe(204)
  })

  it('cannot be assigned to a provider after it was deleted', async () => {
    const template = (await call('POST', '/user-templates', { name: randomUUID() })).body.id
    const urls = { entity_id: `urn:${randomUUID()}`, sso_url: 'https://idp.example.com/sso' }
    const body = { ...urls, certificate: (await makeCertificate()).pem, user_template: template }
    const deleted: number[] = []
    service.justBefore(hasStep('Put', /^connection#/), async () =>
      deleted.push(await statusOf('DELETE', `/user-templates/${template}`)),
    )
    expect(await statusOf('POST', '/auth/saml', body)).toBe(409)
    expect(deleted).toEqual([204])
    expect(await service.services.table.list(`user-template#${template}`, '')).toEqual([])
  })
})
