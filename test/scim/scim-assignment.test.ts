import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { editConnection, findConnection } from '../../lib/features/connections/records.ts'
import { addMember, addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { addScimCompany } from '../support/scim-company.ts'
import { useService } from '../support/use-service.ts'

/*
 * Who comes back with another name at the identity provider than before is a new person, until somebody says that it is the same one. The
 * connection finds people by an attribute here, so that the name can differ.
 */

const service = await useService(
  { ALLOW_PRIVATE_METADATA: 'true', RATE_LIMITS: 'scimRequests=100000/10' },
  { sendsMail: false },
)
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const staff = callAs(service, admin)

type Company = Awaited<ReturnType<typeof addScimCompany>>

const addCompany = (organizationId?: number, fields?: object): Promise<Company> =>
  addScimCompany(service, admin, {
    organizationId,
    settings: { match_attribute: 'email' },
    ...(fields && { fields }),
  })

const pathOf = ({ connectionId }: Pick<Company, 'connectionId'>, person: string): string =>
  `auth/connections/${connectionId}/scim/users/${person}/account`

const assign = (company: Company, person: string, user: number) =>
  staff('PUT', pathOf(company, person), { user })

const sendPerson = async ({ directory }: Company, userName: string): Promise<string> => {
  const { status, text, body } = await directory.addUser({ userName, externalId: randomUUID() })
  expect(status, text).toBe(201)
  return body.id
}

const listAssignments = async (user: number) =>
  (await staff('GET', `auth/audit-events?event=scim.user_assigned&user=${user}`)).body

describe('a person with another name than before', () => {
  it('is refused, and opens the account that they had once an administrator says so', async () => {
    const company = await addCompany()
    const person = await company.bring()
    // The name at the provider is another one, and the compared attribute is the same.
    const returning = `${randomUUID()}@${company.domain}`
    const moved = await company.directory.patch(person.id, { userName: returning })
    expect(moved.status).toBe(200)
    expect((await company.signIn(returning)).me).toBeUndefined()
    const { status, text, body } = await assign(company, person.id, person.user)
    expect(status, text).toBe(200)
    expect(body).toMatchObject({ id: person.id, user: person.user })
    const { me } = await company.signIn(returning)
    expect(me).toMatchObject({ id: person.user })
    // From then on the new name leads to the account, and the old one does not.
    expect((await company.signIn(returning)).me).toMatchObject({ id: person.user })
    expect((await company.signIn(person.name)).me).toBeUndefined()
    expect(await listAssignments(person.user)).toMatchObject([
      { actor: admin.user.id, target: `${company.connectionId} ${person.id}` },
    ])
    expect((await company.directory.patch(person.id, { active: false })).status).toBe(200)
    expect((await company.signIn(returning)).me).toBeUndefined()
  })

  it('comes back as somebody whom the directory deleted, and finds the account enabled', async () => {
    const company = await addCompany()
    const person = await company.bring()
    expect((await company.directory.call('DELETE', `/Users/${person.id}`)).status).toBe(204)
    expect((await staff('GET', `users/${person.user}`)).body.is_enabled).toBe(false)
    const returning = `${randomUUID()}@${company.domain}`
    const id = await sendPerson(company, returning)
    expect((await assign(company, id, person.user)).status).toBe(200)
    expect((await staff('GET', `users/${person.user}`)).body.is_enabled).toBe(false)
    expect((await company.signIn(returning)).me).toMatchObject({ id: person.user })
    // The directory ends it again, and keeps its name.
    expect((await staff('PATCH', `users/${person.user}`, { full_name: 'Mallory' })).status).toBe(409)
    await company.directory.patch(id, { active: false })
    expect((await staff('GET', `users/${person.user}`)).body.is_enabled).toBe(false)
  })

  it('gets the account by one of several sign-ins at once', async () => {
    const company = await addCompany()
    const person = await company.bring()
    const returning = `${randomUUID()}@${company.domain}`
    await company.directory.patch(person.id, { userName: returning })
    await assign(company, person.id, person.user)
    const signedIn = await Promise.all(Array.from({ length: 5 }, () => company.signIn(returning)))
    const users = signedIn.flatMap(({ me }) => me?.id ?? [])
    expect(new Set(users)).toEqual(new Set([person.user]))
    expect((await staff('GET', `users/${person.user}/company-accounts`)).body).toHaveLength(1)
  })
})

describe('a manager of an organization', () => {
  const addOwned = async () => {
    const { id: organizationId } = await addOrganization(service, admin)
    const owner = callAs(service, await addMember(service, admin, organizationId, ['owner']))
    const company = await addCompany(organizationId)
    const { services } = service
    const connection = await findConnection(services.table, company.connectionId)
    if (!connection) throw new Error('the connection is missing')
    await editConnection(services.table, connection, { isFromOrganization: true }, [])
    const path = (person: string) =>
      `organizations/${organizationId}/sign-in/${company.connectionId}/scim/users/${person}/account`
    return { organizationId, owner, company, path }
  }

  it('says whose account a person is', async () => {
    const { owner, company, path, organizationId } = await addOwned()
    const person = await company.bring()
    await company.directory.call('DELETE', `/Users/${person.id}`)
    const returning = `${randomUUID()}@${company.domain}`
    const id = await sendPerson(company, returning)
    const { status, text } = await owner('PUT', path(id), { user: person.user })
    expect(status, text).toBe(200)
    expect((await company.signIn(returning)).me).toMatchObject({ id: person.user })
    expect(
      (await staff('GET', `organizations/${organizationId}/members`)).body.map(
        ({ user }: { readonly user: { readonly id: number } }) => user.id,
      ),
    ).toContain(person.user)
  })

  it('names no account to which the connection did not lead, and no one of another company', async () => {
    const { owner, company, path } = await addOwned()
    const other = await addOwned()
    const theirs = await other.company.bring()
    const own = await company.bring()
    const id = await sendPerson(company, `${randomUUID()}@${company.domain}`)
    for (const user of [theirs.user, admin.user.id, 2147483647])
      expect((await owner('PUT', path(id), { user })).status).toBe(404)
    // Another connection's person, by each of the two paths.
    expect((await owner('PUT', path(theirs.id), { user: own.user })).status).toBe(404)
    expect((await owner('PUT', other.path(theirs.id), { user: own.user })).status).toBe(404)
    expect((await other.owner('PUT', path(id), { user: theirs.user })).status).toBe(404)
    expect((await owner('PUT', pathOf(company, id), { user: own.user })).status).toBe(403)
    expect(await listAssignments(theirs.user)).toEqual([])
  })

  it('takes no account back that its owner disconnected, and none of somebody who decides about others', async () => {
    const { owner, company, path } = await addOwned()
    const person = await company.bring()
    await company.directory.call('DELETE', `/Users/${person.id}`)
    const id = await sendPerson(company, `${randomUUID()}@${company.domain}`)
    await staff('PATCH', `users/${person.user}`, { permissions: ['users:manage'] })
    expect([403, 404]).toContain((await owner('PUT', path(id), { user: person.user })).status)
    await staff('PATCH', `users/${person.user}`, { permissions: [] })
    const [account] = (await staff('GET', `users/${person.user}/company-accounts`)).body
    if (account) await staff('DELETE', `users/${person.user}/company-accounts/${account.id}`)
    expect((await owner('PUT', path(id), { user: person.user })).status).toBe(404)
    // An administrator may: the directory brought the account.
    expect((await assign(company, id, person.user)).status).toBe(200)
  })
})

describe('an assignment', () => {
  it('is refused for accounts and people that belong together otherwise, and for those who ended', async () => {
    const company = await addCompany()
    const [ada, grace] = [await company.bring(), await company.bring()]
    const id = await sendPerson(company, `${randomUUID()}@${company.domain}`)
    // The account of another person, and a person with another account.
    expect((await assign(company, id, ada.user)).status).toBe(409)
    expect((await assign(company, ada.id, grace.user)).status).toBe(409)
    // The connection never led to it.
    const stranger = await addSignedIn(service, {})
    expect((await assign(company, id, stranger.user.id)).status).toBe(409)
    for (const person of ['x', '__proto__', randomUUID(), encodeURIComponent('../ada')])
      expect((await assign(company, person, ada.user)).status).toBe(404)
    await company.directory.patch(ada.id, { active: false })
    expect((await assign(company, ada.id, ada.user)).status).toBe(409)
    for (const body of [{}, { user: '1' }, { user: null }, { user: ada.user, person: id }, []])
      expect((await staff('PUT', pathOf(company, id), body)).status).toBe(400)
  })

  it('counts once of a hundred at the same time, for two accounts and for two people', async () => {
    const company = await addCompany()
    const [ada, grace] = [await company.bring(), await company.bring()]
    await company.directory.call('DELETE', `/Users/${ada.id}`)
    await company.directory.call('DELETE', `/Users/${grace.id}`)
    const people = await Promise.all(
      [1, 2].map(() => sendPerson(company, `${randomUUID()}@${company.domain}`)),
    )
    await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        assign(company, people[at % 2] ?? '', at % 4 < 2 ? ada.user : grace.user),
      ),
    )
    const { body } = await staff('GET', `auth/connections/${company.connectionId}/scim/users`)
    const users = body.map(({ user }: { readonly user: number }) => user)
    expect(new Set(users)).toEqual(new Set([ada.user, grace.user]))
    for (const user of [ada.user, grace.user]) expect(await listAssignments(user)).toHaveLength(1)
  })

  it('gives nothing to a person with another value, who does not use it up', async () => {
    const company = await addCompany()
    const person = await company.bring()
    const returning = `${randomUUID()}@${company.domain}`
    await company.directory.patch(person.id, { userName: returning })
    await assign(company, person.id, person.user)
    expect((await company.signIn(`${randomUUID()}@${company.domain}`)).me).toBeUndefined()
    expect((await company.signIn(returning)).me).toMatchObject({ id: person.user })
  })
})
