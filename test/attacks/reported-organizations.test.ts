import { expect, it } from 'vitest'
import { findMade } from '../../lib/features/leaked-credentials/made.records.ts'
import { mintSecurityReport } from '../../lib/features/mail/write-reset.ts'
import type { Answer } from '../support/client.ts'
import {
  addMember,
  addOrganization,
  findOffer,
  inviteMember,
  newPersonAddress,
} from '../support/organization-invitations.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { reportChange } from '../support/security-emails.ts'
import { useService } from '../support/use-service.ts'

/* A thief has the session of an owner, and leaves what outlives the session. The owner reports what happened. */

const service = await useService()
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

/** Reports everything since a time. */
const report = async ({ user }: SignedInPerson, changedAt: number): Promise<Answer> => {
  const email = user.email ?? ''
  const change = { change: 'new_device', changedAt, email, normalizedEmail: email } as const
  const { value, step } = mintSecurityReport(service.services, { ...change, userId: user.id })
  await table.transact([step])
  return reportChange(service, value)
}
const createKey = async (id: number, by: SignedInPerson): Promise<string> => {
  const body = { name: 'import', permissions: ['org:members:view', 'org:sign-in:manage'] }
  const made = await callAs(service, by)('POST', `organizations/${id}/api-tokens`, body)
  expect(made.status, made.text).toBe(201)
  return made.body.token
}
const statusOf = async (bearer: string): Promise<number> =>
  (await service.client('GET', '/api/2/organizations/current', { bearer })).status

it('ends the keys and invitations of the thief, and none of those before or of others', async () => {
  const organization = await addOrganization(service, admin)
  const { id, owner } = organization
  const colleague = await addMember(service, admin, id, ['owner'])
  const before = await createKey(id, owner)
  const invitedBefore = await inviteMember(service, organization, owner, { email: newPersonAddress() })
  // Reports allow for clocks of servers that differ.
  await new Promise((resolve) => setTimeout(resolve, 1))
  const stolenAt = Date.now() + 60_000
  const later = Date.now
  Date.now = () => later() + 120_000
  try {
    const key = await createKey(id, owner)
    const others = await createKey(id, colleague)
    const invited = await inviteMember(service, organization, owner, {
      email: newPersonAddress(),
      roles: ['owner'],
    })
    expect((await report(owner, stolenAt)).status).toBe(200)
    expect([await statusOf(key), await statusOf(before), await statusOf(others)]).toEqual([401, 200, 200])
    expect((await findOffer(service, invited.token)).status).toBe(400)
    expect((await findOffer(service, invitedBefore.token)).status).toBe(200)
  } finally {
    Date.now = later
  }
})

it('ends a key also if the thief left the organization with the account', async () => {
  const { id, owner } = await addOrganization(service, admin)
  await addMember(service, admin, id, ['owner'])
  const key = await createKey(id, owner)
  expect((await callAs(service, owner)('DELETE', `users/me/organizations/${id}`)).status).toBe(204)
  expect((await report(owner, owner.user.createdAt + 1)).status).toBe(200)
  expect(await statusOf(key)).toBe(401)
})

it('leaves an invitation that another owner sent again since', async () => {
  const organization = await addOrganization(service, admin)
  const { id, owner } = organization
  const colleague = await addMember(service, admin, id, ['owner'])
  const email = newPersonAddress()
  const invited = await inviteMember(service, organization, owner, { email })
  const resent = await callAs(service, colleague)(
    'POST',
    `organizations/${id}/invitations/${invited.id}/resend`,
  )
  expect(resent.status, resent.text).toBe(200)
  expect((await report(owner, owner.user.createdAt + 1)).status).toBe(200)
  const path = `organizations/${id}/invitations`
  expect((await callAs(service, colleague)('GET', path)).body).toHaveLength(1)
})

it('works after the organization was deleted, and when it is repeated', async () => {
  const organization = await addOrganization(service, admin)
  const { id, owner } = organization
  await createKey(id, owner)
  await inviteMember(service, organization, owner, { email: newPersonAddress() })
  expect((await callAs(service, admin)('DELETE', `organizations/${id}`)).status).toBe(204)
  expect((await report(owner, owner.user.createdAt + 1)).status).toBe(200)
  expect((await report(owner, owner.user.createdAt + 1)).status).not.toBe(409)
})

it('misses nothing that a thief makes at the same moment', async () => {
  const organization = await addOrganization(service, admin)
  const { id, owner } = organization
  const made = Array.from({ length: 8 }, () =>
    callAs(service, owner)('POST', organization.path, { email: newPersonAddress(), roles: ['owner'] }),
  )
  await Promise.all([...made, report(owner, owner.user.createdAt + 1)])
  const left = await callAs(service, admin)('GET', `organizations/${id}/invitations`)
  expect(left.body).toEqual([])
  const period = { from: 0, to: Number.MAX_SAFE_INTEGER }
  expect((await findMade(table, owner.user.id, 'organization_invitation', period)).length).toBeLessThan(9)
})
