import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { buildCompanyAccountSteps } from '../../lib/features/connections/accounts.records.ts'
import { awaitMails } from '../support/await-mails.ts'
import { addMember, addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { addDirectory, storeConnection } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

/* Whom emails about leavers go to, and how often. */

const service = await useService({ RATE_LIMITS: 'scimRequests=100000/10' })
const { table } = service.services
const admin = await addSignedIn(service, {
  email: `${randomUUID()}@people.example`,
  permissions: ['system:admin-access'],
})

const readMails = async ({ user }: SignedInPerson, subject: string): Promise<readonly string[]> => {
  await awaitMails(service)
  return service.mailbox
    .mailsTo(user.email)
    .filter((mail) => mail.subject === `${subject} – Latchkey`)
    .map(({ text }) => text)
}

it.each(['organization', 'service'] as const)(
  'one goes out about many leavers of a connection of the %s',
  async (kind) => {
    const { id, owner } = await addOrganization(service, admin)
    const connectionId = await storeConnection(
      service,
      kind === 'organization' ? { organization_id: id } : {},
    )
    const directory = await addDirectory(service, connectionId, {}, admin)
    const people: string[] = []
    for (let at = 0; at < 54; at++)
      people.push((await directory.addUser({ userName: `person-${at}` })).body.id)
    const read = () =>
      readMails(kind === 'organization' ? owner : admin, 'Many people left the directory of a connection')
    for (const [at, person] of people.entries()) {
      // The 51st is the first that is too many.
      if (at === 50) expect(await read()).toEqual([])
      expect((await directory.patch(person, { active: false })).body.active).toBe(false)
    }
    const [text, ...more] = await read()
    expect(more).toEqual([])
    expect(text).toContain(
      kind === 'organization'
        ? `/organization#/${id}/sign-in`
        : `/admin#/connections/oidc/${connectionId}?tab=directory`,
    )
  },
)

it('one says to administrators that the last owner of an organization left', async () => {
  const { id, owner } = await addOrganization(service, admin)
  const connectionId = await storeConnection(service, { organization_id: id })
  const directory = await addDirectory(service, connectionId, {}, admin)
  const nameId = `${randomUUID()}@directory.example`
  await table.transact(
    buildCompanyAccountSteps(
      { providerId: connectionId, nameId, qualifiers: [] },
      {
        userId: owner.user.id,
        groups: [],
        linkedAt: Date.now(),
        shownName: nameId,
        deletedUserId: undefined,
      },
    ),
  )
  const { body } = await directory.addUser({ userName: nameId })
  for (let round = 0; round < 2; round++)
    expect((await directory.patch(body.id, { active: false })).status).toBe(409)
  const [text, ...more] = await readMails(admin, 'The last owner of an organization left its directory')
  expect(more).toEqual([])
  expect(text).toContain(owner.user.username)
  await addMember(service, admin, id, ['owner'])
  expect((await directory.patch(body.id, { active: false })).status).toBe(200)
})
