import { expect, it } from 'vitest'
import { joinWithCode, receiveJoinCode, requestJoinCode } from '../support/join-codes.ts'
import {
  addOrganization,
  findOffer,
  inviteMember,
  newPersonAddress,
} from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { readItems } from '../support/table-copies.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const staff = await addSignedIn(service, { permissions: ['organizations:manage', 'system:admin-access'] })
await callAs(service, staff)('PUT', 'organization-roles', {
  roles: [{ key: 'editor', texts: { en: 'Editor' }, permissions: ['films:edit'] }],
})
const organization = await addOrganization(service, staff)

it('makes the invited person a member with the roles of the invitation, while sign-in codes are off', async () => {
  await storeSignInPolicy(service, { allow_email_codes: false })
  const person = await addSignedIn(service, { email: newPersonAddress() })
  const email = person.user.email ?? ''
  const invited = { email, roles: ['editor'] }
  const { id, token } = await inviteMember(service, organization, organization.owner, invited)
  const own = callAs(service, person)
  const listed = await own('GET', 'users/me/organization-invitations')
  expect(listed.body).toMatchObject([{ id, requires_link: false }])

  const asked = await requestJoinCode(service, person.bearer, id)
  expect(asked.body).toMatchObject({
    ...{ organization_name: 'Acme Studios', email, roles: ['editor'], invited_by: 'Grace Hopper' },
    shown: (await findOffer(service, token)).body.shown,
  })
  const mail = await service.mailbox.mailTo(email, ({ subject }) => subject.startsWith('Your code'))
  expect(mail.subject).toBe('Your code to join “Acme Studios” at Latchkey')
  expect(mail.text).toContain(`join the organization “Acme Studios” at`)
  const request = await receiveJoinCode(service, person, id)
  expect(mail.text).not.toContain(request.code)
  const stored = JSON.stringify(await readItems(service.tableName))
  for (const secret of [request.request_id, request.code, request.code.replace(' ', '')])
    expect(stored).not.toContain(secret)

  const joined = await joinWithCode(service, person.bearer, id, request)
  expect(joined.status, joined.text).toBe(200)
  expect(joined.body).toMatchObject({ id: organization.id, roles: ['editor'], permissions: ['films:edit'] })
  expect((await own('GET', 'users/me/organizations')).body).toEqual([joined.body])
  expect((await own('GET', 'users/me/organization-invitations')).body).toEqual([])
  expect((await findOffer(service, token)).body.code).toBe('invalid_token')
  const query = `auth/audit-events?user=${person.user.id}&event=organization.invitation_accepted`
  const [event] = (await callAs(service, staff)('GET', query)).body
  expect(event).toMatchObject({
    actor: person.user.id,
    changes: [{ field: 'proof', from: null, to: 'code' }],
  })
})
