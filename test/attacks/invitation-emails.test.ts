import { describe, expect, it } from 'vitest'
import { findConnection } from '../../lib/features/connections/records.ts'
import { findOrganizationInvitation } from '../../lib/features/organizations/invitations.records.ts'
import {
  delayedInvitationKey,
  organizationInvitationKey,
} from '../../lib/kernel/table/keys/organization-keys.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import {
  acceptShown,
  addOrganization,
  newPersonAddress,
  type OwnedOrganization,
  readJoinToken,
} from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { readItems } from '../support/table-copies.ts'
import { useService } from '../support/use-service.ts'
import { waitFor } from '../support/wait-for.ts'

/* Strangers who use up the emails that an address gets, so that its company cannot invite it. */

const service = await useService()
const { table, now } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const asAdmin = callAs(service, admin)

const invite = async ({ path, owner }: OwnedOrganization, email: string): Promise<number> => {
  const { status, text, body } = await callAs(service, owner)('POST', path, { email, roles: ['member'] })
  expect(status, text).toBe(201)
  return body.id
}
const stateOf = async ({ path, owner }: OwnedOrganization, id: number): Promise<string> =>
  (await callAs(service, owner)('GET', path)).body.find((one: { id: number }) => one.id === id)?.email_state
const awaitState = (organization: OwnedOrganization, id: number, state: string) =>
  waitFor(async () => expect(await stateOf(organization, id)).toBe(state))
const resend = ({ path, owner }: OwnedOrganization, id: number) =>
  callAs(service, owner)('POST', `${path}/${id}/resend`)
const listWaiting = async () =>
  (await readItems(service.tableName)).filter(({ pk }) => pk === partitions.delayedInvitations)
/** Lets the time pass for which an email waits. */
const passDelay = async (id: number) => {
  const { delayedUntil = 0 } = (await findOrganizationInvitation(table, id)) ?? {}
  const due = now() - 1000
  await table.transact([
    {
      update: organizationInvitationKey(id),
      changes: (x) => ({ set: [`${x.path('delayedUntil')} = ${x.value(due)}`] }),
    },
    { delete: delayedInvitationKey(delayedUntil, id) },
    { put: { ...delayedInvitationKey(due, id) } },
  ])
}
/** Uses up what an address gets of organizations without a domain. */
const floodAddress = async (email: string): Promise<void> => {
  for (let at = 0; at < 5; at++) {
    const evil = await addOrganization(service, admin)
    await awaitState(evil, await invite(evil, email), 'sent')
  }
}
/** Gives an organization a connection with a proven domain. */
const proveDomain = async ({ id }: OwnedOrganization, domain: string): Promise<void> => {
  const created = await asAdmin('POST', 'auth/oidc-connections', {
    name: `Acme ${id}`,
    issuer: 'https://idp.example.com',
    client_id: 'latchkey',
    client_secret: 'secret',
    organization_id: id,
  })
  expect(created.status, created.text).toBe(201)
  expect((await asAdmin('POST', `auth/connections/${created.body.id}/domains`, { domain })).status).toBe(201)
  const connection = await findConnection(table, created.body.id)
  const { editConnection } = await import('../../lib/features/connections/records.ts')
  if (!connection) throw new Error('there is no connection')
  const domains = connection.domains.map((one) => ({ ...one, state: 'proven' as const, provenAt: now() }))
  await editConnection(table, connection, { domains }, [])
}

describe('an invitation to an address that got too many', () => {
  it('waits, says so, and is sent later with a link that works', async () => {
    const email = newPersonAddress()
    await floodAddress(email)
    const acme = await addOrganization(service, admin)
    const id = await invite(acme, email)
    await awaitState(acme, id, 'delayed')
    // Nothing has changed yet, so it waits once more.
    await passDelay(id)
    await service.deleteDueAccounts()
    await awaitState(acme, id, 'delayed')
    expect(await listWaiting()).toHaveLength(1)
    const limited = await asAdmin('GET', 'rate-limited?name=invitationsPerRecipient')
    expect((await asAdmin('DELETE', `rate-limited/${limited.body[0].key}`)).status).toBe(204)
    await passDelay(id)
    await service.deleteDueAccounts()
    await awaitState(acme, id, 'sent')
    expect(await listWaiting()).toEqual([])
    const person = await addSignedIn(service, { email })
    const token = await readJoinToken(service, email)
    expect((await acceptShown(service, person.bearer, token)).status).toBe(200)
  })

  it('is sent at once by an organization with a proven domain', async () => {
    const email = newPersonAddress()
    await floodAddress(email)
    const acme = await addOrganization(service, admin)
    await proveDomain(acme, 'acme-mails.example')
    await awaitState(acme, await invite(acme, email), 'sent')
  })

  it('is sent twice an hour by one organization, and revoking it ends the waiting', async () => {
    const [acme, email] = [await addOrganization(service, admin), newPersonAddress()]
    const id = await invite(acme, email)
    await awaitState(acme, id, 'sent')
    expect((await resend(acme, id)).body.email_state).toBe('pending')
    await awaitState(acme, id, 'sent')
    expect((await resend(acme, id)).status).toBe(200)
    await awaitState(acme, id, 'delayed')
    // Another organization is not affected.
    const beta = await addOrganization(service, admin)
    await awaitState(beta, await invite(beta, email), 'sent')
    await passDelay(id)
    expect((await callAs(service, acme.owner)('DELETE', `${acme.path}/${id}`)).status).toBe(204)
    await service.deleteDueAccounts()
    expect(await listWaiting()).toEqual([])
  })
})
