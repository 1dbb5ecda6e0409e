import { describe, expect, it } from 'vitest'
import { editConnection, findConnection } from '../../lib/features/connections/records.ts'
import { addMember, addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { addScimCompany } from '../support/scim-company.ts'
import { useService } from '../support/use-service.ts'

/* Administrators and owners undo what a directory did by mistake. */

const service = await useService(
  { ALLOW_PRIVATE_METADATA: 'true', RATE_LIMITS: 'scimRequests=100000/10' },
  { sendsMail: false },
)
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const staff = callAs(service, admin)
const pathOf = (connectionId: number, person: string): string =>
  `auth/connections/${connectionId}/scim/users/${person}/bring-back`

describe('somebody whom the directory ended', () => {
  it.each(['{ active: false }', 'nothing'] as const)(
    'comes back with their account and no session, after the directory sent %s',
    async (sent) => {
      const company = await addScimCompany(service, admin)
      const person = await company.bring()
      if (sent !== 'nothing') {
        expect((await company.directory.patch(person.id, { active: false })).status).toBe(200)
        expect((await company.signIn(person.name)).me).toBeUndefined()
      }
      const { status, text, body } = await staff('POST', pathOf(company.connectionId, person.id))
      expect(status, text).toBe(200)
      expect(body).toMatchObject({ id: person.id, active: true, ended_by: null, user: person.user })
      expect((await person.browser.get('/api/2/users/me')).status).toBe(sent === 'nothing' ? 200 : 401)
      expect((await company.signIn(person.name)).me).toMatchObject({ id: person.user })
      const events = await staff('GET', `auth/audit-events?event=scim.user_returned&user=${person.user}`)
      expect(events.body).toHaveLength(sent === 'nothing' ? 0 : 1)
      // The directory decides again.
      await company.directory.patch(person.id, { active: false })
      expect((await company.signIn(person.name)).me).toBeUndefined()
    },
  )

  it('comes back once when many say so at once', async () => {
    const company = await addScimCompany(service, admin)
    const person = await company.bring()
    await company.directory.patch(person.id, { active: false })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => staff('POST', pathOf(company.connectionId, person.id))),
    )
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    expect((await company.signIn(person.name)).me).toMatchObject({ id: person.user })
    const events = await staff('GET', `auth/audit-events?event=scim.user_returned&user=${person.user}`)
    expect(events.body).toHaveLength(1)
  })

  it('is refused if somebody here ended them', async () => {
    const company = await addScimCompany(service, admin)
    const person = await company.bring()
    await staff('PATCH', `users/${person.user}`, { is_enabled: false })
    await company.directory.patch(person.id, { active: false })
    const { status, body } = await staff('POST', pathOf(company.connectionId, person.id))
    expect([status, body.code]).toEqual([409, 'conflict'])
    expect((await company.signIn(person.name)).me).toBeUndefined()
  })

  it('is found only in their own directory', async () => {
    const company = await addScimCompany(service, admin)
    const other = await addScimCompany(service, admin)
    const person = await company.bring()
    for (const id of [person.id, '__proto__', 'x', crypto.randomUUID()])
      expect((await staff('POST', pathOf(other.connectionId, id))).status).toBe(404)
  })
})

describe('an owner', () => {
  it('brings back people of their own organization alone', async () => {
    const { id, owner } = await addOrganization(service, admin)
    const company = await addScimCompany(service, admin, { organizationId: id })
    const connection = await findConnection(service.services.table, company.connectionId)
    if (!connection) throw new Error('the connection was not found')
    await editConnection(service.services.table, connection, { isFromOrganization: true }, [])
    const person = await company.bring()
    await company.directory.patch(person.id, { active: false })
    const stranger = await addOrganization(service, admin)
    const member = await addMember(service, admin, id, ['member'])
    const path = `organizations/${id}/sign-in/${company.connectionId}/scim/users/${person.id}/bring-back`
    const foreign = path.replace(`organizations/${id}/`, `organizations/${stranger.id}/`)
    expect((await callAs(service, stranger.owner)('POST', path)).status).toBe(404)
    expect((await callAs(service, stranger.owner)('POST', foreign)).status).toBe(404)
    expect((await callAs(service, member)('POST', path)).status).toBe(403)
    const { status, text } = await callAs(service, owner)('POST', path)
    expect(status, text).toBe(200)
    const members = await callAs(service, owner)('GET', `organizations/${id}/members`)
    expect(members.body.map((one: { user: { id: number } }) => one.user.id)).toContain(person.user)
  })
})
