import { expect, it } from 'vitest'
import { addMember, addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { scimSettings, storeConnection } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

/* Managers of an organization set up the directory of the connection that it brought. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

it('turns a directory on, makes two tokens and no third one, and deletes one', async () => {
  const { id: organization } = await addOrganization(service, admin)
  const owner = await addMember(service, admin, organization, ['owner'])
  const member = await addMember(service, admin, organization, ['member'])
  const connection = await storeConnection(service, {
    organization_id: organization,
    isFromOrganization: true,
    default_organization_roles: ['member'],
  })
  const path = `organizations/${organization}/sign-in/${connection}/scim`
  const call = callAs(service, owner)
  expect((await callAs(service, member)('PUT', path, scimSettings)).status).toBe(403)
  expect((await call('PUT', path, scimSettings)).body).toMatchObject({ enabled: true, tokens: [] })
  const made = [await call('POST', `${path}/tokens`), await call('POST', `${path}/tokens`)]
  expect(made.map(({ status }) => status)).toEqual([201, 201])
  expect((await call('POST', `${path}/tokens`)).status).toBe(409)
  const [first, second] = made.map(({ body }) => body)
  const list = async (bearer: string) =>
    (await service.client('GET', `/scim/v2/${connection}/Users`, { bearer })).status
  expect([await list(first.token), await list(second.token)]).toEqual([200, 200])
  expect((await call('DELETE', `${path}/tokens/${first.id}`)).status).toBe(204)
  expect([await list(first.token), await list(second.token)]).toEqual([401, 200])
  expect((await call('PUT', path, { ...scimSettings, enabled: false })).status).toBe(200)
  expect(await list(second.token)).toBe(401)
})
