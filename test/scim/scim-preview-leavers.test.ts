import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findAdminIds } from '../../lib/accounts/users/admins.records.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { TestBrowser } from '../support/browser.ts'
import type { JsonValue } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { companyKinds } from '../support/company-sign-in.ts'
import { addMember, addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { sessionOf, userOfSession, vouchForDomains } from '../support/saml.ts'
import { addDirectory, adoptUser, schemas, storeConnection } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

/* The preview says about leavers what the request then does, also where it is refused. */

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' }, { sendsMail: false })
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const manage = callAs(service, admin)
const [company] = companyKinds
if (!company) throw new Error('there is a kind of connections')

const leaves = {
  schemas: [schemas.patch],
  Operations: [{ op: 'replace', value: { active: false } }],
}
const put = (userName: string) => ({ schemas: [schemas.user], userName, active: false })

/** The preview of a leaver in each of the ways in which directories send one. */
const preview = async (connectionId: number, id: string, userName: string) => {
  const ask = async (method: string, body: object | null): Promise<JsonValue> =>
    (
      await manage('POST', `auth/connections/${connectionId}/scim/preview`, {
        ...{ method, resource: 'Users', resource_id: id, body: body && JSON.stringify(body) },
      })
    ).body
  const found = [await ask('PATCH', leaves), await ask('PUT', put(userName)), await ask('DELETE', null)]
  return found.map(({ status, body, plan }) => ({
    status,
    detail: body === null ? undefined : JSON.parse(body).detail,
    actions: plan.map(({ action }: { readonly action: string }) => action),
  }))
}

describe('the preview of a leaver', () => {
  it('is refused like the request for the last administrator, whose account stays', async () => {
    const domain = `${randomUUID()}.example`
    const acme = closeAfterTests(await company.add(service, 'Acme', { auto_create_users: true }))
    await vouchForDomains(service, { id: acme.id, admin: admin.bearer }, [domain])
    const directory = await addDirectory(service, acme.id, {}, admin)
    const userName = `${randomUUID()}@${domain}`
    const { id } = (await directory.addUser({ userName })).body
    const answer = await (await acme.start(new TestBrowser(service)))(userName)
    const userId = (await userOfSession(service, sessionOf(answer) ?? '')) ?? 0
    const made = await findUser(table, userId)
    if (!made) throw new Error('the sign-in made no account')
    await editUser(table, made, { permissions: ['system:admin-access'] }, { extraSteps: [] })
    // An administrator whose account expires does not count.
    const expire = async (adminId: number, expiresAt: number | null) => {
      const current = await findUser(table, adminId)
      if (current) await editUser(table, current, { expiresAt }, { extraSteps: [] })
    }
    const others = (await findAdminIds(table)).filter((one) => one !== userId)
    for (const one of others) await expire(one, Date.now() + 3_600_000)
    const before = await preview(acme.id, id, userName)
    const refused = await directory.call('PATCH', `/Users/${id}`, leaves)
    expect(refused.status).toBe(409)
    for (const one of before)
      expect(one).toEqual({
        status: 409,
        detail: refused.body.detail,
        actions: ['refuse_sign_in', 'keep_last_admin'],
      })
    expect(await findUser(table, userId)).toMatchObject({ is_enabled: true })
    await expire(admin.user.id, null)
    expect((await directory.patch(id, { active: true })).body.active).toBe(true)
    const after = await preview(acme.id, id, userName)
    expect(after.map(({ status }) => status)).toEqual([200, 200, 204])
    for (const { actions } of after) expect(actions).toContain('end_account')
    expect((await directory.call('PATCH', `/Users/${id}`, leaves)).status).toBe(200)
    expect(await findUser(table, userId)).toMatchObject({ is_enabled: false })
  })

  it('is refused with the words of the request for the last owner', async () => {
    const { id: organizationId, owner } = await addOrganization(service, admin)
    const connectionId = await storeConnection(service, { organization_id: organizationId })
    const directory = await addDirectory(service, connectionId, {}, admin)
    const id = await adoptUser(service, owner.user, directory)
    const { userName } = (await directory.call('GET', `/Users/${id}`)).body
    const before = await preview(connectionId, id, userName)
    const refused = await directory.call('PATCH', `/Users/${id}`, leaves)
    expect(refused.status).toBe(409)
    for (const { status, detail, actions } of before)
      expect([status, detail, actions.at(-1)]).toEqual([409, refused.body.detail, 'keep_last_owner'])
    await addMember(service, admin, organizationId, ['owner'])
    await directory.patch(id, { active: true })
    const after = await preview(connectionId, id, userName)
    expect(after.map(({ status }) => status)).toEqual([200, 200, 204])
    expect((await directory.call('PATCH', `/Users/${id}`, leaves)).status).toBe(200)
  })

  it('says that the account of somebody stays who decides about others, and was there before', async () => {
    const root = await addSignedIn(service, { permissions: ['users:manage'] })
    const connectionId = await storeConnection(service)
    const directory = await addDirectory(service, connectionId, {}, admin)
    const id = await adoptUser(service, root.user, directory)
    const { userName } = (await directory.call('GET', `/Users/${id}`)).body
    for (const { actions } of await preview(connectionId, id, userName)) {
      expect(actions).toContain('end_sessions')
      expect(actions).not.toContain('end_account')
    }
    expect((await directory.call('PATCH', `/Users/${id}`, leaves)).status).toBe(200)
    expect(await findUser(table, root.user.id)).toMatchObject({ is_enabled: true })
  })
})

it('is refused like the request for an address that another account has verified', async () => {
  const domain = `${randomUUID()}.example`
  const acme = closeAfterTests(await company.add(service, 'Acme', { auto_create_users: true }))
  await vouchForDomains(service, { id: acme.id, admin: admin.bearer }, [domain])
  const directory = await addDirectory(service, acme.id, {}, admin)
  const [userName, taken] = [`${randomUUID()}@${domain}`, `${randomUUID()}@${domain}`]
  await addSignedIn(service, { email: taken })
  const { id } = (await directory.addUser({ userName })).body
  await (await acme.start(new TestBrowser(service)))(userName)
  const body = {
    schemas: [schemas.patch],
    Operations: [{ op: 'replace', value: { emails: [{ value: taken, primary: true }] } }],
  }
  const shown = await manage('POST', `auth/connections/${acme.id}/scim/preview`, {
    ...{ method: 'PATCH', resource: 'Users', resource_id: id, body: JSON.stringify(body) },
  })
  const refused = await directory.call('PATCH', `/Users/${id}`, body)
  expect([shown.body.status, JSON.parse(shown.body.body).detail]).toEqual([409, refused.body.detail])
  expect([refused.status, refused.body.scimType]).toEqual([409, 'uniqueness'])
})
