import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { acceptInvitation, readInvitationToken } from '../support/invitations.ts'
import {
  acceptShown,
  addOrganization,
  inviteMember,
  newPersonAddress,
  type OwnedOrganization,
} from '../support/organization-invitations.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * People whose account was made by somebody who may not give roles. What they get from an organization itself works, unless the other
 * one may know a way in. Nothing else is given that would not work.
 */

const service = await useService({ RATE_LIMITS: 'invitationsPerInviter=500/86400,addressFailures=5000/600' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const staff = await addSignedIn(service, { permissions: ['organizations:manage', 'organizations:view'] })
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
const asAdmin = callAs(service, admin)
const asManager = callAs(service, manager)
const policy = { creation: 'everybody', creations_max: 3, ending_grace_days: 30 }
expect((await asAdmin('PUT', 'organization-policy', policy)).status).toBe(200)
const acme: OwnedOrganization = await addOrganization(service, staff)
const password = 'violet tractor under nine moons'

interface Invited {
  readonly id: number
  readonly email: string
  readonly username: string
  readonly bearer: string
}

/** A person whom support staff invited in the ordinary way, and who chose a password with the link in the email. */
const addInvited = async (): Promise<Invited> => {
  const [email, username] = [newPersonAddress(), `made-${randomUUID()}`]
  const fields = { username, email, permissions: [], groups: [], invite: true }
  const made = await asManager('POST', 'users', fields)
  expect(made.status, made.text).toBe(201)
  const accepted = await acceptInvitation(service, await readInvitationToken(service, email), password)
  expect(accepted.status, accepted.text).toBe(200)
  return { id: made.body.id, email, username, bearer: accepted.body.session_key }
}
const signInAgain = async ({ username }: Invited, given = password): Promise<string> =>
  (await service.client('POST', '/api/2/auth/login', { body: { username, password: given } })).body
    .session_key
const createCompany = (by: Pick<SignedInPerson, 'bearer'>) =>
  callAs(service, by)('POST', 'users/me/organizations', {
    name: 'Films',
    slug: `org-${randomUUID().slice(0, 13).replaceAll(/[01]/g, '2')}`,
  })
const join = async ({ email, bearer }: Pick<Invited, 'email' | 'bearer'>, roles = ['admin']) =>
  acceptShown(service, bearer, (await inviteMember(service, acme, acme.owner, { email, roles })).token)
const findMember = async ({ id }: Pick<Invited, 'id'>) =>
  (await callAs(service, acme.owner)('GET', `organizations/${acme.id}/members?limit=100`)).body.find(
    ({ user }: { user: { id: number } }) => user.id === id,
  )

/** What somebody with fewer rights does afterwards that may let them in. */
const takeovers: Readonly<Record<string, (person: Invited) => Promise<Invited>>> = {
  'types a password': async (person) => {
    const typed = `${password}, as typed`
    expect((await asManager('POST', `users/${person.id}/password`, { password: typed })).status).toBe(204)
    return { ...person, bearer: await signInAgain(person, typed) }
  },
  'enters another address': async (person) => {
    const email = newPersonAddress()
    const path = `users/${person.id}`
    expect((await asManager('PATCH', path, { email: newPersonAddress() })).status).toBe(200)
    const { body } = await asAdmin('PATCH', path, { email })
    expect([body.email, body.rights_limit === undefined]).toEqual([email, false])
    return { ...person, email }
  },
}

describe('a person whom support staff invited', () => {
  it('owns the company that they create', async () => {
    const person = await addInvited()
    const created = await createCompany(person)
    expect(created.status, created.text).toBe(201)
    const call = callAs(service, person)
    expect((await call('PATCH', `organizations/${created.body.id}`, { name: 'Changed' })).status).toBe(200)
    expect((await call('GET', 'users/me/organizations')).body).toMatchObject([
      { roles: ['owner'], roles_limited: false },
    ])
  })

  it('has the roles of the invitation that an organization mailed to them', async () => {
    const person = await addInvited()
    const joined = await join(person)
    expect([joined.status, joined.body.roles, joined.body.roles_limited]).toEqual([200, ['admin'], false])
    const call = callAs(service, person)
    expect((await call('GET', `organizations/${acme.id}/members`)).status).toBe(200)
    expect(await findMember(person)).toMatchObject({ roles: ['admin'], roles_limited: false })
    // Support staff cannot take the account over any more.
    for (const [method, path, body] of [
      ['POST', `users/${person.id}/password`, { password: `${password}, as typed` }],
      ['PATCH', `users/${person.id}`, { email: newPersonAddress() }],
    ] as const)
      expect((await asManager(method, path, body)).status, path).toBe(403)
  })

  it('gets no role from an administrator that would not work, and learns how it would', async () => {
    const person = await addInvited()
    const path = `organizations/${acme.id}/members`
    const refused = await callAs(service, staff)('POST', path, { user: person.id, roles: ['admin'] })
    expect([refused.status, refused.body.reason]).toEqual([409, 'roles_limited'])
    expect(refused.body.detail).toContain('invite them')
    expect(await findMember(person)).toBeUndefined()
    expect((await join(person)).status).toBe(200)
  })
})

describe.each(Object.entries(takeovers))('after somebody with fewer rights %s', (_, takeOver) => {
  it('the person gets no roles, by any door', async () => {
    const person = await takeOver(await addInvited())
    const joined = await join(person)
    expect([joined.status, joined.body.reason]).toEqual([409, 'roles_limited'])
    expect((await createCompany(person)).body.reason).toBe('roles_limited')
    const path = `organizations/${acme.id}/members`
    const added = await callAs(service, staff)('POST', path, { user: person.id, roles: ['owner'] })
    expect([added.status, added.body.reason]).toEqual([409, 'roles_limited'])
    expect(added.body.detail).toContain('sets a new password')
    expect((await callAs(service, person)('GET', 'users/me/organizations')).body).toEqual([])
  })

  it('roles that allowed nothing stop to count, and everybody sees that', async () => {
    const invited = await addInvited()
    expect((await join(invited, ['member'])).status).toBe(200)
    const person = await takeOver(invited)
    expect(await findMember(person)).toMatchObject({ roles: ['member'], roles_limited: true })
    expect((await callAs(service, person)('GET', 'users/me/organizations')).body).toMatchObject([
      { id: acme.id, roles: [], roles_limited: true, permissions: [] },
    ])
    const path = `organizations/${acme.id}/members/${person.id}`
    const raised = await callAs(service, acme.owner)('PATCH', path, { roles: ['admin'] })
    expect([raised.status, raised.body.reason]).toEqual([409, 'roles_limited'])
  })

  it('an administrator starts the account anew, and it gets roles', async () => {
    const person = await takeOver(await addInvited())
    const fresh = `${password}, from the operator`
    expect((await asAdmin('POST', `users/${person.id}/password`, { password: fresh })).status).toBe(204)
    expect((await callAs(service, person)('GET', 'users/me')).status).toBe(401)
    const path = `organizations/${acme.id}/members`
    const added = await callAs(service, staff)('POST', path, { user: person.id, roles: ['admin'] })
    expect([added.status, added.body.roles_limited]).toEqual([201, false])
    const bearer = await signInAgain(person, fresh)
    expect((await callAs(service, { bearer })('GET', path)).status).toBe(200)
  })
})
