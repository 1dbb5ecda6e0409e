import { expect, it } from 'vitest'
import { mintSecurityReport } from '../../lib/features/mail/write-reset.ts'
import { awaitMails } from '../support/await-mails.ts'
import {
  acceptShown,
  addMember,
  addOrganization,
  inviteMember,
  newPersonAddress,
} from '../support/organization-invitations.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { reportChange } from '../support/security-emails.ts'
import { useService } from '../support/use-service.ts'

/* A thief with the session of an owner must not go unnoticed: neither by the owner, nor by the other owners. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const { id, path, owner: robbed } = await addOrganization(service, admin)
const other = await addMember(service, admin, id, ['owner'])
const member = await addMember(service, admin, id, ['member'])
await awaitMails(service)

const ownerAdded = 'A new owner was added to an organization – Latchkey'
const keyCreated = 'An API token of an organization was created – Latchkey'
const reported = 'An owner or member reported a theft of their account – Latchkey'

const readMails = async ({ user }: SignedInPerson, subject: string): Promise<readonly string[]> => {
  await awaitMails(service)
  return service.mailbox
    .mailsTo(user.email)
    .filter((mail) => mail.subject === subject)
    .map(({ text }) => text)
}

it('lets only the one who did it report a new API token, and leads the others to it', async () => {
  const body = { name: 'Import of films', permissions: ['org:members:view'] }
  const made = await callAs(service, robbed)('POST', `organizations/${id}/api-tokens`, body)
  expect(made.status, made.text).toBe(201)
  const [own, ...more] = await readMails(robbed, keyCreated)
  expect(more).toEqual([])
  const token = /\/secure#token=(\S+)/.exec(own ?? '')?.[1] ?? ''
  expect(token).toMatch(/^lkn_/)
  const [shown = '', ...others] = await readMails(other, keyCreated)
  expect(others).toEqual([])
  expect(shown).toContain(`/organization#/${id}/api-tokens`)
  expect(shown).toContain('Import of films')
  expect(shown).toContain(robbed.user.username)
  expect(shown).not.toMatch(/lkn_|\/secure/)
  expect(await readMails(member, keyCreated)).toEqual([])
  expect((await reportChange(service, token)).status).toBe(200)
  const { status } = await service.client('GET', '/api/2/organizations/current', {
    bearer: made.body.token,
  })
  expect(status).toBe(401)
})

it('tells the other owners about a new owner, by a change of roles and by an invitation', async () => {
  const promoted = await addMember(service, admin, id, ['member'])
  const change = `organizations/${id}/members/${promoted.user.id}`
  expect((await callAs(service, other)('PATCH', change, { roles: ['owner'] })).status).toBe(200)
  const known = (await readMails(robbed, ownerAdded)).filter((text) => text.includes(promoted.user.username))
  expect(known).toHaveLength(1)
  expect(known[0]).toContain(`/organization#/${id}/members`)
  expect((await readMails(other, ownerAdded)).at(-1)).toContain('/secure#token=lkn_')
  const invitee = await addSignedIn(service, { email: newPersonAddress() })
  const { token } = await inviteMember(service, { path }, other, {
    email: invitee.user.email ?? '',
    roles: ['owner'],
  })
  expect((await acceptShown(service, invitee.bearer, token)).status).toBe(200)
  const last = (await readMails(other, ownerAdded)).at(-1)
  expect(last).toContain(invitee.user.username)
  expect(last).not.toContain('/secure')
})

it('shows the other owners which roles a reported account gave', async () => {
  const organization = await addOrganization(service, admin)
  const thief = await addMember(service, admin, organization.id, ['member'])
  const colleague = await addMember(service, admin, organization.id, ['owner'])
  const { owner } = organization
  const change = `organizations/${organization.id}/members/${thief.user.id}`
  expect((await callAs(service, owner)('PATCH', change, { roles: ['owner', 'admin'] })).status).toBe(200)
  const email = owner.user.email ?? ''
  const { value, step } = mintSecurityReport(service.services, {
    ...{ userId: owner.user.id, change: 'new_device', changedAt: owner.user.createdAt + 1 },
    ...{ email, normalizedEmail: email },
  })
  await service.services.table.transact([step])
  expect((await reportChange(service, value)).status).toBe(200)
  const [text = '', ...more] = await readMails(colleague, reported)
  expect(more).toEqual([])
  expect(text).toContain(`${thief.user.username}: owner, admin`)
  expect(await readMails(owner, reported)).toEqual([])
  const stays = await callAs(service, colleague)('GET', `organizations/${organization.id}/members`)
  expect(
    stays.body.find(({ user }: { user: { id: number } }) => user?.id === thief.user.id)?.roles,
  ).toContain('owner')
})
