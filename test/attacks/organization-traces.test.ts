import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { copyOrganizationEvents } from '../../lib/features/organizations/events.records.ts'
import { readAuditItems } from '../support/audit-items.ts'
import type { Json } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addConnection, startUpstream } from '../support/oidc-upstream.ts'
import { addMember, addOrganization, type OwnedOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * Changes of an organization that nobody in it made: by administrators, merges and deletions. Its owners see each of them. The writes of
 * all tests are watched for others: see `watch-organization-traces.ts`.
 */

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
const upstream = closeAfterTests(await startUpstream())
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)

/** The events that an owner and an administrator see of an organization, since the last call for it. */
const readNew = async ({ id, owner }: OwnedOrganization, seen: Set<string>): Promise<readonly string[]> => {
  const { table } = service.services
  await copyOrganizationEvents(table, await readAuditItems(table))
  const { body } = await callAs(service, owner)('GET', `organizations/${id}/events?limit=200`)
  const audited = await call('GET', `auth/audit-events?organization=${id}&limit=200`)
  const fresh = body.filter((one: Json) => !seen.has(one['id']))
  for (const one of fresh) seen.add(one['id'])
  const names: readonly string[] = fresh.map(({ event }: Json) => event)
  for (const name of names) expect(audited.body.map(({ event }: Json) => event)).toContain(name)
  return names.toSorted()
}
const describeMember = (event: string, { user }: Pick<SignedInPerson, 'user'>) => [event, user.id]

it('shows owners what administrators change of its connections', async () => {
  const place = await addOrganization(service, admin)
  const seen = new Set<string>()
  await readNew(place, seen)
  const expectEvents = async (work: Promise<{ status: number; text: string }>, ...events: string[]) => {
    const { status, text } = await work
    expect(status, text).toBeLessThan(300)
    expect(await readNew(place, seen)).toEqual(events)
  }
  const { id } = await addConnection(service, admin.bearer, upstream.issuer, { organization_id: place.id })
  expect(await readNew(place, seen)).toEqual(['oidc_connection.created'])
  const path = `auth/oidc-connections/${id}`
  await expectEvents(
    call('PATCH', path, { default_organization_roles: ['admin'] }),
    'oidc_connection.changed',
  )
  await expectEvents(call('PATCH', path, { client_id: 'another' }), 'oidc_connection.changed')
  await expectEvents(call('PATCH', path, { client_secret: 'a new secret' }), 'oidc_connection.changed')
  const domain = `${randomUUID()}.example`
  const domains = `auth/connections/${id}/domains`
  await expectEvents(call('POST', domains, { domain }), 'connection.domain_added')
  await expectEvents(call('POST', `${domains}/${domain}/vouch`), 'connection.domain_vouched')
  await expectEvents(call('DELETE', `${domains}/${domain}`), 'connection.domain_removed')
  await expectEvents(call('DELETE', path), 'oidc_connection.deleted')
  const setUp = await call('POST', 'auth/saml-setups', { name: 'Customer', organization_id: place.id })
  expect(setUp.status, setUp.text).toBe(201)
  expect(await readNew(place, seen)).toEqual(['saml_provider.created', 'saml_setup.link_created'])
  const links = `auth/saml/${setUp.body.saml_provider}/setup-links`
  const again = await call('POST', links)
  expect(again.status, again.text).toBe(201)
  expect(await readNew(place, seen)).toEqual(['saml_setup.link_created'])
  await expectEvents(call('DELETE', `${links}/${again.body.id}`), 'saml_setup.link_revoked')
})

it('shows owners who is in the organization after a merge, and who is not after a deletion', async () => {
  const place = await addOrganization(service, admin)
  const [joined, twice, kept, alsoKept, deleted] = [
    await addMember(service, admin, place.id, ['admin']),
    await addMember(service, admin, place.id, ['admin']),
    await addSignedIn(service),
    await addMember(service, admin, place.id, ['member']),
    await addMember(service, admin, place.id, ['member']),
  ]
  const seen = new Set<string>()
  await readNew(place, seen)
  const read = async () => {
    await readNew(place, seen)
    const { body } = await callAs(service, place.owner)('GET', `organizations/${place.id}/events?limit=200`)
    return body.map(({ event, user }: Json) => [event, user])
  }
  const merge = async (into: SignedInPerson, other: SignedInPerson) => {
    const shown = {
      display_name: (await call('GET', `users/${into.user.id}`)).body.display_name,
      other_display_name: (await call('GET', `users/${other.user.id}`)).body.display_name,
      other_username: other.user.username,
    }
    const merged = await call('POST', `users/${into.user.id}/merge`, { user: other.user.id, shown })
    expect(merged.status, merged.text).toBe(200)
  }
  await merge(kept, joined)
  const first = await read()
  expect(first).toContainEqual(describeMember('organization.member_removed', joined))
  expect(first).toContainEqual(describeMember('organization.member_added', kept))
  await merge(alsoKept, twice)
  const second = await read()
  expect(second).toContainEqual(describeMember('organization.member_removed', twice))
  expect(second).toContainEqual(describeMember('organization.member_changed', alsoKept))
  expect((await call('DELETE', `users/${deleted.user.id}`)).status).toBe(204)
  expect(await read()).toContainEqual(describeMember('organization.member_removed', deleted))
})
