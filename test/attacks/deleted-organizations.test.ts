import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { organizationCleanUpKey } from '../../lib/kernel/table/keys/organization-keys.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import type { Json } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addConnection, signInByUpstream, startUpstream } from '../support/oidc-upstream.ts'
import {
  addMember,
  addOrganization,
  inviteMember,
  newPersonAddress,
  type OwnedOrganization,
} from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { sessionOf } from '../support/saml.ts'
import { readItems } from '../support/table-copies.ts'
import { useService } from '../support/use-service.ts'

/* A deleted organization leaves nothing that holds a domain, a person or an address. */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'samlStarts=100000/60,signInRoutes=100000/60',
})
const { table } = service.services
const upstream = closeAfterTests(await startUpstream())
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)

const connect = async (place: Pick<OwnedOrganization, 'id'>, domain: string) => {
  const connection = await addConnection(service, admin.bearer, upstream.issuer, {
    organization_id: place.id,
    auto_create_users: true,
  })
  return { connection, vouched: await vouch(connection.id, domain) }
}
const vouch = async (id: number, domain: string) => {
  const path = `auth/connections/${id}/domains`
  await call('POST', path, { domain })
  return call('POST', `${path}/${domain}/vouch`)
}
/** Lets the time pass after which lists are complete. */
const passTime = async () => {
  const items = await readItems(service.tableName)
  for (const { pk, sk } of items.filter((one) => one.pk === partitions.organizationEndings)) {
    if (!sk.startsWith('clean-up#')) continue
    const id = Number(sk.split('#').at(-1))
    await table.transact([
      { delete: { pk, sk } },
      { put: { ...organizationCleanUpKey(Date.now() - 120_000, id) } },
    ])
  }
}
/** What the table still has in the partitions of an organization, or as a membership in it. */
const listLeftovers = async (id: number): Promise<readonly string[]> =>
  (await readItems(service.tableName))
    .filter(
      (item) =>
        item['organizationId'] === id ||
        item['organization_id'] === id ||
        [partitions.organization, partitions.organizationConnections].some(
          (partition) => item['pk'] === `${partition}${id}`,
        ) ||
        [partitions.emailText, partitions.emailTextHistory].some(
          (partition) => item['pk'] === `${partition}organization:${id}`,
        ),
    )
    .map(({ pk, sk }) => `${pk} ${sk}`)
const fill = async () => {
  const place = await addOrganization(service, admin)
  const domain = `${randomUUID()}.example`
  const { connection, vouched } = await connect(place, domain)
  expect(vouched.status, vouched.text).toBe(200)
  const words = {
    subject: 'Join {organization}',
    body: '{inviter} invites you to {organization}.\n\n[Join us]({link})',
  }
  const target = `branding/email-texts/organization:${place.id}/organization_invitation/en`
  const saved = await call('PUT', target, words)
  expect(saved.status, saved.text).toBe(200)
  const email = `ada@${domain}`
  const { answer } = await signInByUpstream(connection, upstream, { sub: email, email })
  const key = await callAs(service, place.owner)('POST', `organizations/${place.id}/api-tokens`, {
    name: 'import',
    permissions: ['org:members:view'],
  })
  const invited = await addSignedIn(service, { email: newPersonAddress() })
  const invitation = await inviteMember(service, place, place.owner, { email: invited.user.email ?? '' })
  await addMember(service, admin, place.id, ['admin'])
  return { place, domain, connection, session: sessionOf(answer) ?? '', key, invited, invitation }
}
const remove = async ({ id }: Pick<OwnedOrganization, 'id'>) =>
  expect((await call('DELETE', `organizations/${id}`)).status).toBe(204)
const getRoute = (username: string) =>
  service.client('POST', '/api/2/auth/sign-in-route', { body: { username } })

describe('a deleted organization', () => {
  it('frees its domains, and leaves no session, key, invitation or membership', async () => {
    const { place, domain, connection, session } = await fill()
    expect((await service.client('GET', '/api/2/users/me', { bearer: session })).status).toBe(200)
    const heir = await addOrganization(service, admin)
    const other = await connect(heir, domain)
    expect(other.vouched.status).toBe(404)
    await remove(place)
    await service.deleteDueAccounts()
    // Lists are complete only after a time, so nothing ends before it.
    expect((await call('GET', `auth/oidc-connections/${connection.id}`)).status).toBe(200)
    await passTime()
    await Promise.all(Array.from({ length: 3 }, () => service.deleteDueAccounts()))
    await service.deleteDueAccounts()
    expect(await listLeftovers(place.id)).toEqual([])
    expect((await call('GET', `auth/oidc-connections/${connection.id}`)).status).toBe(404)
    expect((await service.client('GET', '/api/2/users/me', { bearer: session })).status).toBe(401)
    expect((await vouch(other.connection.id, domain)).status).toBe(200)
    const { body } = await getRoute(`ada@${domain}`)
    expect(body.login_url).toContain(`/${other.connection.id}/`)
    const events = await call('GET', `auth/audit-events?organization=${place.id}&limit=200`)
    const names = events.body.map(({ event }: Json) => event)
    for (const name of [
      'oidc_connection.deleted',
      'organization.api_token_deleted',
      'organization.invitation_revoked',
      'organization.member_removed',
    ])
      expect(names).toContain(name)
    // Its item in the order of time is gone, too.
    const due = (await readItems(service.tableName)).filter(({ sk }) => sk.startsWith('clean-up#'))
    expect(due).toEqual([])
  })

  it('holds nobody before the job has run', async () => {
    const { place, invited, invitation } = await fill()
    const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
    const change = () =>
      callAs(service, manager)('PATCH', `users/${place.owner.user.id}`, { email: newPersonAddress() })
    expect((await change()).status).toBe(403)
    await remove(place)
    const changed = await change()
    expect(changed.status, changed.text).toBe(200)
    const path = `users/me/organization-invitations/${invitation.id}`
    expect((await callAs(service, invited)('DELETE', path)).status).toBe(204)
  })
})
