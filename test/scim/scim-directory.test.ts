import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { buildCompanyAccountSteps } from '../../lib/features/connections/accounts.records.ts'
import { logScimCall } from '../../lib/features/scim/log-call.ts'
import type { ScimContext } from '../../lib/features/scim/scim-context.ts'
import { scimCallKey } from '../../lib/kernel/table/keys/scim-keys.ts'
import { addMember, addOrganization } from '../support/organization-invitations.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { addDirectory, schemas, storeConnection } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ RATE_LIMITS: 'scimRequests=100000/10' }, { sendsMail: false })
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const manage = callAs(service, admin)
const add = async (fields: object = {}) => {
  const directory = await addDirectory(service, await storeConnection(service, fields), {}, admin)
  const path = `auth/connections/${directory.connectionId}/scim`
  return {
    ...directory,
    path,
    calls: async () => (await manage('GET', `${path}/calls`)).body,
    preview: async (request: object) =>
      (
        await manage('POST', `${path}/preview`, {
          resource: 'Users',
          resource_id: null,
          body: null,
          ...request,
        })
      ).body,
  }
}
const leaves = { schemas: [schemas.patch], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] }

describe('the calls of a directory', () => {
  it('are listed with what to do, and without anything of their bodies but the name', async () => {
    const { call, addUser, calls, path, connectionId } = await add()
    const { id } = (await addUser({ userName: 'Ada', title: 'secret title', externalId: 'e-1' })).body
    await addUser({ userName: 'ada' })
    await call('PATCH', `/Users/${id}`, {
      schemas: [schemas.patch],
      Operations: [{ op: 'replace', path: 'active', value: 'secret value' }],
    })
    await call('GET', '/Users?filter=userName+eq+%22secret%22')
    await call('GET', `/Users/${randomUUID()}`)
    const group = (await call('POST', '/Groups', { schemas: [schemas.group], displayName: 'Crew' })).body
    await call('DELETE', `/Groups/${group.id}`)
    await call('GET', '/Secrets')
    const listed = await calls()
    expect(
      listed.map((one: Record<string, unknown>) => [
        one['method'],
        one['resource'],
        one['status'],
        one['name'],
        one['advice'],
      ]),
    ).toEqual([
      ['GET', 'other', 404, null, 'unknown'],
      ['DELETE', 'Groups', 204, 'Crew', 'none'],
      ['POST', 'Groups', 201, 'Crew', 'none'],
      ['GET', 'Users', 404, null, 'unknown'],
      ['GET', 'Users', 200, null, 'none'],
      ['PATCH', 'Users', 400, 'Ada', 'request'],
      ['POST', 'Users', 409, 'ada', 'taken'],
      ['POST', 'Users', 201, 'Ada', 'none'],
    ])
    expect(listed[6]).toMatchObject({ scim_type: 'uniqueness', detail: expect.stringContaining('userName') })
    const items = await table.list(scimCallKey(connectionId, 0, '').pk, 'call#')
    expect([items.length, JSON.stringify(items)]).toEqual([8, expect.not.stringContaining('secret')])
    expect((await manage('GET', path)).body.last_sync_at).toBe(listed[0].at)
  })

  it('are the last 200, and none of a caller without a token of the connection', async () => {
    const { call, calls, connectionId } = await add()
    const other = await add()
    for (let at = 0; at < 21; at++)
      await Promise.all(Array.from({ length: 10 }, () => call('GET', '/Users?count=0')))
    expect((await calls()).length).toBe(200)
    for (const bearer of [other.token, 'lkm_wrong'])
      await service.client(
        'GET',
        `/scim/v2/${other.connectionId === connectionId ? 0 : connectionId}/Users`,
        { bearer },
      )
    expect(await other.calls()).toEqual([])
  })

  it('do not fail because they cannot be noted', async () => {
    const noted: unknown[] = []
    const scim = {
      services: {
        table: { put: () => Promise.reject(new Error('no table')) },
        now: () => 1,
        log: { error: (...entry: readonly unknown[]) => noted.push(entry) },
      },
      caller: { connection: { id: 7 } },
    } as unknown as ScimContext
    await logScimCall(scim, { method: 'GET', resource: 'Users' }, { status: 200 })
    expect(noted).toMatchObject([['scim.call_not_noted', { connection: 7 }]])
  })
})

describe('the people of a directory', () => {
  it('are listed page by page, with what their addresses are used for', async () => {
    const { addUser, patch, path, call } = await add({
      domains: [{ name: 'acme.example', state: 'proven', txtValue: 'x', provenAt: 1, checkedAt: 1 }],
    })
    for (const userName of ['ada@acme.example', 'bob@other.example', 'carol']) await addUser({ userName })
    const { id } = (await addUser({ userName: 'dan' })).body
    await patch(id, { active: false })
    const { body } = await manage('GET', `${path}/users`)
    expect(
      body.map((one: Record<string, unknown>) => [
        one['user_name'],
        one['active'],
        one['ended_by'],
        one['address_use'],
      ]),
    ).toEqual([
      ['ada@acme.example', true, null, 'at_sign_in'],
      ['bob@other.example', true, null, 'outside_domains'],
      ['carol', true, null, 'none'],
      ['dan', false, 'directory', 'none'],
    ])
    const first = await manage('GET', `${path}/users?limit=3`)
    const next = new URL(/<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '')
    const second = await manage('GET', `${path}/users${next.search}`)
    expect([...first.body, ...second.body]).toEqual(body)
    await call('POST', '/Groups', { schemas: [schemas.group], displayName: 'Crew' })
    expect((await manage('GET', `${path}/groups`)).body).toMatchObject([{ display_name: 'Crew' }])
  })
})

describe('a preview', () => {
  it('says what would happen, and changes nothing', async () => {
    const { addUser, call, preview } = await add()
    const { id } = (await addUser({ userName: 'ada' })).body
    const group = (await call('POST', '/Groups', { schemas: [schemas.group], displayName: 'Crew' })).body.id
    const actions = async (request: object) => {
      const { status, plan } = await preview(request)
      return [status, ...plan.map(({ action }: { readonly action: string }) => action)]
    }
    const newUser = { schemas: [schemas.user], userName: 'bob' }
    const json = (body: object) => ({ body: JSON.stringify(body) })
    expect(await actions({ method: 'POST', ...json(newUser) })).toEqual([
      201,
      'create_person',
      'wait_for_sign_in',
    ])
    expect(await actions({ method: 'POST', ...json({ ...newUser, userName: 'ADA' }) })).toEqual([409])
    expect(await actions({ method: 'PATCH', resource_id: id, ...json(leaves) })).toEqual([
      200,
      'refuse_sign_in',
    ])
    expect(await actions({ method: 'PUT', resource_id: id, ...json({ ...newUser, active: true }) })).toEqual([
      200,
      'change_attributes',
      'wait_for_sign_in',
    ])
    expect(await actions({ method: 'DELETE', resource_id: id })).toEqual([
      204,
      'refuse_sign_in',
      'delete_person',
    ])
    expect(await actions({ method: 'PATCH', resource_id: id, body: '{' })).toEqual([400])
    expect(await actions({ method: 'PATCH', resource_id: randomUUID(), ...json(leaves) })).toEqual([404])
    const members = {
      schemas: [schemas.patch],
      Operations: [{ op: 'add', path: 'members', value: [{ value: id }] }],
    }
    const ofGroup = { resource: 'Groups', resource_id: group }
    expect(await actions({ method: 'PATCH', ...ofGroup, ...json(members) })).toEqual([204, 'add_members'])
    expect(await actions({ method: 'DELETE', ...ofGroup })).toEqual([204, 'delete_group'])
    expect((await call('GET', `/Users/${id}`)).body).toMatchObject({ userName: 'ada', active: true })
    expect((await call('GET', `/Groups/${group}`)).body.members).toEqual([])
    expect((await call('GET', '/Users')).body.totalResults).toBe(1)
  })

  it('names what the account of a leaver loses, as the request then does', async () => {
    const plan = async (connectionId: number, person: { readonly user: { readonly id: number } }) => {
      const name = `${randomUUID()}@directory.example`
      await table.transact(
        buildCompanyAccountSteps(
          { providerId: connectionId, nameId: name, qualifiers: [] },
          { userId: person.user.id, groups: [], linkedAt: 1, shownName: name, deletedUserId: undefined },
        ),
      )
      const directory = await addDirectory(service, connectionId, {}, admin)
      const path = `auth/connections/${connectionId}/scim`
      const json = (body: object) => ({ resource: 'Users', body: JSON.stringify(body) })
      const newUser = { schemas: [schemas.user], userName: name }
      const create = { method: 'POST', resource_id: null, ...json(newUser) }
      const created = (await manage('POST', `${path}/preview`, create)).body
      const { id } = (await directory.addUser({ userName: name })).body
      const request = { method: 'PATCH', resource_id: id, ...json(leaves) }
      const { body } = await manage('POST', `${path}/preview`, request)
      const answer = await directory.call('PATCH', `/Users/${id}`, leaves)
      const actions = [created, body].flatMap((one) =>
        one.plan.map(({ action }: { readonly action: string }) => action),
      )
      return { directory, path, id, statuses: [body.status, answer.status], actions }
    }
    const first = ['create_person', 'use_account', 'refuse_sign_in']
    const own = await plan(await storeConnection(service), await addPerson(service))
    expect([own.statuses, own.actions]).toEqual([
      [200, 200],
      [...first, 'end_account'],
    ])
    const { id: organizationId, owner } = await addOrganization(service, admin)
    const member = await addMember(service, admin, organizationId, ['owner'])
    const fields = { organization_id: organizationId }
    const left = await plan(await storeConnection(service, fields), member)
    expect([left.statuses, left.actions]).toEqual([
      [200, 200],
      [...first, 'end_sessions', 'end_membership'],
    ])
    const alone = await plan(await storeConnection(service, fields), owner)
    expect([alone.statuses, alone.actions]).toEqual([
      [409, 409],
      [...first, 'end_sessions', 'keep_last_owner'],
    ])
    // Somebody here ends the account as well, so the directory cannot bring the person back.
    await manage('PATCH', `users/${member.user.id}`, { is_enabled: false })
    expect((await left.directory.patch(left.id, { active: true })).body.active).toBe(false)
    expect((await manage('GET', `${left.path}/calls`)).body[0]).toMatchObject({ advice: 'ended_here' })
    expect((await manage('GET', `${left.path}/users`)).body).toMatchObject([
      { active: false, ended_by: 'service', user: member.user.id },
    ])
  })

  it('is for the managers of the organization that brought the connection, and nobody else', async () => {
    const organization = (
      await manage('POST', 'organizations', { name: randomUUID(), slug: `o-${randomUUID()}` })
    ).body
    const owner = await addSignedIn(service)
    await manage('POST', `organizations/${organization.id}/members`, {
      user: owner.user.id,
      roles: ['owner'],
    })
    const brought = await storeConnection(service, {
      organization_id: organization.id,
      isFromOrganization: true,
    })
    const own = `organizations/${organization.id}/sign-in/${brought}/scim`
    const ask = callAs(service, owner)
    const { addUser } = await addDirectory(service, brought, {}, admin)
    const { id } = (await addUser({ userName: 'ada' })).body
    const body = { method: 'PATCH', resource: 'Users', resource_id: id, body: JSON.stringify(leaves) }
    expect((await ask('POST', `${own}/preview`, body)).body).toMatchObject({ status: 200 })
    for (const kind of ['users', 'groups', 'calls'])
      expect((await ask('GET', `${own}/${kind}`)).status).toBe(200)
    const foreign = `organizations/${organization.id}/sign-in/${await storeConnection(service)}/scim`
    expect((await ask('POST', `${foreign}/preview`, body)).status).toBe(404)
    expect((await ask('GET', `auth/connections/${brought}/scim/calls`)).status).toBe(403)
  })
})
