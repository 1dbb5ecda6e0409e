import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { buildCompanyAccountSteps } from '../../lib/features/connections/accounts.records.ts'
import { findMembership } from '../../lib/features/organizations/memberships.records.ts'
import { findScimUser } from '../../lib/features/provisioning/users.records.ts'
import { addMember, addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { addDirectory, schemas, scimSettings, storeConnection, type TestDirectory } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

/* What groups of a directory give, and what leaving them takes. */

const service = await useService({ RATE_LIMITS: 'scimRequests=100000/10' }, { sendsMail: false })
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const staff = callAs(service, admin)

/** Gives a person an identity at the connection, and has its directory send them. */
const send = async (directory: TestDirectory, { user }: Pick<SignedInPerson, 'user'>): Promise<string> => {
  const name = `${randomUUID()}@directory.example`
  await table.transact(
    buildCompanyAccountSteps(
      { providerId: directory.connectionId, nameId: name, qualifiers: [] },
      { userId: user.id, groups: [], linkedAt: Date.now(), shownName: name, deletedUserId: undefined },
    ),
  )
  const { body } = await directory.addUser({ userName: name })
  expect((await findScimUser(table, directory.connectionId, body.id))?.userId).toBe(user.id)
  return body.id
}

const addGroup = async (
  { call }: TestDirectory,
  displayName: string,
  members: readonly string[],
): Promise<string> => {
  const { status, text, body } = await call('POST', '/Groups', {
    schemas: [schemas.group],
    displayName,
    members: members.map((value) => ({ value })),
  })
  expect(status, text).toBe(201)
  return body.id
}

const patchGroup = ({ call }: TestDirectory, id: string, ...Operations: readonly object[]) =>
  call('PATCH', `/Groups/${id}`, { schemas: [schemas.patch], Operations })

describe('a group of the directory of an organization', () => {
  const roles = ['accountant', 'auditor', 'hr', 'internal']
  const declare = () =>
    staff('PUT', 'organization-roles', {
      roles: [
        ...roles.map((key) => ({
          key,
          permissions: [],
          given_by: key === 'internal' ? 'service' : 'members',
          texts: { en: key },
        })),
        {
          key: 'inviter',
          permissions: ['org:members:view'],
          given_by: 'members',
          texts: { en: 'Inviter' },
        },
      ],
    })

  /** An organization whose directory sent a member, with what groups give there. */
  const addSent = async (groupRoles: readonly object[], given: readonly string[] = ['member']) => {
    const declared = await declare()
    expect(declared.status, declared.text).toBe(200)
    const { id: organizationId } = await addOrganization(service, admin)
    const person = await addMember(service, admin, organizationId, given)
    const connectionId = await storeConnection(service, { organization_id: organizationId })
    const directory = await addDirectory(service, connectionId, { group_roles: groupRoles }, admin)
    const id = await send(directory, person)
    const rolesOf = async () =>
      (await findMembership(table, { userId: person.user.id, organizationId }))?.roles.toSorted()
    return { directory, id, person, organizationId, rolesOf }
  }

  it('gives roles, and takes these and nothing else from those who leave it', async () => {
    const { directory, id, person, organizationId, rolesOf } = await addSent([
      { group: 'FINANCE', roles: ['accountant', 'auditor'] },
      { group: 'Audit', roles: ['auditor', 'hr'] },
    ])
    await staff('PATCH', `organizations/${organizationId}/members/${person.user.id}`, {
      roles: ['member', 'hr'],
    })
    const [finance, audit] = [
      await addGroup(directory, 'Finance', [id]),
      await addGroup(directory, 'Audit', [id]),
    ]
    await addGroup(directory, 'owner', [id])
    expect(await rolesOf()).toEqual(['accountant', 'auditor', 'hr', 'member'])
    await patchGroup(directory, finance, { op: 'remove', path: `members[value eq "${id}"]` })
    expect(await rolesOf()).toEqual(['auditor', 'hr', 'member'])
    // The other name gives nothing, and members follow it.
    await patchGroup(directory, audit, { op: 'replace', path: 'displayName', value: 'Others' })
    expect(await rolesOf()).toEqual(['hr', 'member'])
    await patchGroup(directory, audit, { op: 'replace', path: 'displayName', value: 'Audit' })
    expect(await rolesOf()).toEqual(['auditor', 'hr', 'member'])
    expect((await directory.call('DELETE', `/Groups/${audit}`)).status).toBe(204)
    expect(await rolesOf()).toEqual(['hr', 'member'])
  })

  it('gives its roles again to who comes back, and none that they left meanwhile', async () => {
    const { directory, id, rolesOf } = await addSent([
      { group: 'Finance', roles: ['accountant'] },
      { group: 'Audit', roles: ['auditor'] },
    ])
    const finance = await addGroup(directory, 'Finance', [id])
    await addGroup(directory, 'Audit', [id])
    await directory.patch(id, { active: false })
    expect(await rolesOf()).toBeUndefined()
    await patchGroup(directory, finance, { op: 'replace', path: 'members', value: [] })
    await directory.patch(id, { active: true })
    expect(await rolesOf()).toEqual(['auditor', 'member'])
  })

  it('gives no built-in role, none with rights here, and none that only the service gives', async () => {
    const { directory, organizationId } = await addSent([])
    const path = `auth/connections/${directory.connectionId}/scim`
    for (const role of ['owner', 'admin', 'member', 'inviter', 'internal', 'unknown']) {
      const group_roles = [{ group: 'Finance', roles: [role] }]
      const refused = await staff('PUT', path, { ...scimSettings, group_roles })
      expect([refused.status, refused.text], role).toEqual([400, expect.stringContaining(role)])
    }
    const group_roles = [{ group: 'Finance', roles: ['accountant'] }]
    expect((await staff('PUT', path, { ...scimSettings, group_roles })).body.group_roles).toEqual(group_roles)
    expect((await staff('PUT', path, scimSettings)).body.group_roles).toEqual(group_roles)
    expect(organizationId).toBeGreaterThan(0)
  })
})

describe('a group of the directory of the whole service', () => {
  const groupsOf = async ({ user }: Pick<SignedInPerson, 'user'>) =>
    (await findUser(table, user.id))?.groups.toSorted()
  const addServiceGroup = async (permissions: readonly string[] = []) => {
    const name = `group-${randomUUID()}`
    const { body, text, status } = await staff('POST', 'groups', { name, permissions: [...permissions] })
    expect(status, text).toBe(201)
    return { id: body.id as number, name }
  }

  it('gives groups that the list of the connection names, and takes nothing that people gave', async () => {
    const [listed, own, unlisted, privileged] = [
      await addServiceGroup(['media:access']),
      await addServiceGroup(),
      await addServiceGroup(),
      await addServiceGroup(['users:manage']),
    ]
    const allowed = [listed, own, privileged].map(({ name }) => name)
    const connectionId = await storeConnection(service, { allowed_groups: allowed })
    const directory = await addDirectory(service, connectionId, {}, admin)
    const person = await addSignedIn(service, { groups: [own.id] })
    const id = await send(directory, person)
    const sent = []
    for (const { name } of [listed, own, unlisted, privileged])
      sent.push(await addGroup(directory, name.toUpperCase(), [id]))
    expect(await groupsOf(person)).toEqual([listed.id, own.id].toSorted())
    for (const group of sent) {
      expect(
        (await patchGroup(directory, group, { op: 'remove', path: 'members', value: [{ value: id }] }))
          .status,
      ).toBe(204)
    }
    expect(await groupsOf(person)).toEqual([own.id])
  })

  it('gives nothing to leavers, and again to who comes back', async () => {
    const group = await addServiceGroup()
    const connectionId = await storeConnection(service, { allowed_groups: [group.name] })
    const directory = await addDirectory(service, connectionId, {}, admin)
    const person = await addSignedIn(service)
    const id = await send(directory, person)
    await addGroup(directory, group.name, [id])
    expect(await groupsOf(person)).toEqual([group.id])
    await directory.patch(id, { active: false })
    expect(await groupsOf(person)).toEqual([])
    await directory.patch(id, { active: true })
    expect(await groupsOf(person)).toEqual([group.id])
    const refused = await staff('PUT', `auth/connections/${connectionId}/scim`, {
      ...scimSettings,
      group_roles: [{ group: 'x', roles: ['member'] }],
    })
    expect(refused.status).toBe(400)
  })
})
