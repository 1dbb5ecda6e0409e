import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { addMember, addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { schemas, scimSettings } from '../support/scim.ts'
import { addScimCompany } from '../support/scim-company.ts'
import { useService } from '../support/use-service.ts'

/* What a directory gave is changed by the directory alone, unless a setting says so. Ending access is never refused. */

const service = await useService(
  { ALLOW_PRIVATE_METADATA: 'true', RATE_LIMITS: 'scimRequests=100000/10' },
  { sendsMail: false },
)
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
const call = callAs(service, admin)

type Company = Awaited<ReturnType<typeof addScimCompany>>
type Brought = Awaited<ReturnType<Company['bring']>>

/** Calls as somebody whom the directory brought. */
const callAsBrought = ({ browser }: Pick<Brought, 'browser'>) => {
  const bearer = browser.cookie('latchkey') ?? ''
  return (method: string, path: string, body?: object) =>
    service.client(method, `/api/2/${path}`, { bearer, ...(body && { body }) })
}

const kept = (fields: readonly string[], { connectionId }: Pick<Company, 'connectionId'>) => ({
  status: 409,
  body: {
    code: 'conflict',
    reason: 'managed_by_directory',
    managed_by_directory: { connection: connectionId, name: 'Acme', fields },
  },
})

const addGroup = async (name: string, permissions: readonly string[] = []): Promise<number> =>
  (await call('POST', 'groups', { name, permissions })).body.id

const sendGroup = async ({ directory }: Company, displayName: string, members: readonly string[]) => {
  const { status, text, body } = await directory.call('POST', '/Groups', {
    schemas: [schemas.group],
    displayName,
    members: members.map((value) => ({ value })),
  })
  expect(status, text).toBe(201)
  return body.id as string
}

const addTemplate = async (): Promise<number> =>
  (await call('POST', 'user-templates', { name: `Staff ${randomUUID()}`, permissions: ['films:view'] })).body
    .id

const address = () => `${randomUUID()}@elsewhere.example`

describe('an account that a directory brought', () => {
  it('shows what the directory keeps to those who manage users and to its person', async () => {
    const company = await addScimCompany(service, admin, { fields: { user_template: await addTemplate() } })
    const person = await company.bring()
    const shown = [
      { connection: company.connectionId, name: 'Acme', fields: ['full_name', 'email'], groups: [] },
    ]
    expect((await call('GET', `users/${person.user}`)).body.kept_by_directories).toEqual(shown)
    expect((await callAsBrought(person)('GET', 'users/me')).body.kept_by_directories).toEqual(shown)
    expect((await call('GET', 'users/me')).body).not.toHaveProperty('kept_by_directories')
    expect((await person.browser.get('/account')).text).toContain('kept_by_directories')
  })

  it('refuses another name and another address by each door, and names the directory', async () => {
    const company = await addScimCompany(service, admin)
    const person = await company.bring()
    const own = callAsBrought(person)
    const path = `users/${person.user}`
    const { body: before } = await call('GET', path)
    const { username, permissions, groups } = before
    for (const staff of [call, callAs(service, manager)]) {
      expect(await staff('PATCH', path, { full_name: 'Mallory' })).toMatchObject(kept(['full_name'], company))
      expect(await staff('PATCH', path, { full_name: 'Mallory', email: address() })).toMatchObject(
        kept(['full_name', 'email'], company),
      )
      expect(await staff('PATCH', path, { email: null })).toMatchObject(kept(['email'], company))
      expect(await staff('PUT', path, { username, permissions, groups, email: address() })).toMatchObject({
        status: 409,
        body: { reason: 'managed_by_directory' },
      })
    }
    expect(await own('PATCH', 'users/me', { full_name: 'Mallory' })).toMatchObject(
      kept(['full_name'], company),
    )
    expect(await own('PUT', 'users/me', { full_name: 'Mallory' })).toMatchObject(kept(['full_name'], company))
    expect(await own('POST', 'users/me/email', { email: address() })).toMatchObject(kept(['email'], company))
    expect((await call('GET', path)).body).toEqual(before)
  })

  it('lets people change everything else of it', async () => {
    const company = await addScimCompany(service, admin)
    const person = await company.bring()
    const path = `users/${person.user}`
    expect((await callAsBrought(person)('PATCH', 'users/me', { language: 'de' })).status).toBe(200)
    const { body } = await call('PATCH', path, { is_external: true, username: `ada-${randomUUID()}` })
    expect(body).toMatchObject({ is_external: true, language: 'de' })
    expect((await call('POST', `${path}/password-reset`)).status).toBeLessThan(500)
  })

  it('is changed by its directory and by its sign-in as before', async () => {
    const company = await addScimCompany(service, admin)
    const person = await company.bring()
    const moved = `${randomUUID()}@${company.domain}`
    const { status } = await company.directory.patch(person.id, {
      displayName: 'Ada King',
      emails: [{ value: moved, primary: true }],
    })
    expect(status).toBe(200)
    expect((await call('GET', `users/${person.user}`)).body).toMatchObject({
      full_name: 'Ada King',
      email: moved,
    })
    expect((await company.signIn(person.name)).me).toMatchObject({ id: person.user, full_name: 'Ada King' })
  })

  it('is free with the setting, without the directory, without the connection, and of those who left', async () => {
    const company = await addScimCompany(service, admin)
    const person = await company.bring()
    const path = `users/${person.user}`
    const scim = `auth/connections/${company.connectionId}/scim`
    const rename = async () => (await call('PATCH', path, { full_name: randomUUID() })).status
    const set = async (settings: object) => (await call('PUT', scim, { ...scimSettings, ...settings })).body
    expect(await rename()).toBe(409)
    expect(await set({ allows_local_changes: true })).toMatchObject({ allows_local_changes: true })
    expect(await rename()).toBe(200)
    expect((await call('GET', path)).body).not.toHaveProperty('kept_by_directories')
    // A change without the setting leaves it.
    expect(await set({})).toMatchObject({ allows_local_changes: true })
    expect(await set({ allows_local_changes: false })).toMatchObject({ allows_local_changes: false })
    expect(await rename()).toBe(409)
    await set({ enabled: false })
    expect(await rename()).toBe(200)
    await set({})
    expect(await rename()).toBe(409)
    expect((await company.directory.patch(person.id, { active: false })).status).toBe(200)
    expect(await rename()).toBe(200)
    await company.directory.patch(person.id, { active: true })
    expect(await rename()).toBe(409)
    expect((await call('DELETE', `auth/oidc-connections/${company.connectionId}`)).status).not.toBe(500)
    await call('DELETE', `auth/saml/${company.connectionId}`)
    expect(await rename()).toBe(200)
  })

  it('is kept no longer once somebody else gave it a group, because the directory does not change it then', async () => {
    const company = await addScimCompany(service, admin)
    const person = await company.bring()
    const path = `users/${person.user}`
    const group = await addGroup(`Local ${randomUUID()}`)
    expect((await call('POST', `groups/${group}/members`, { add: [person.user] })).status).toBe(200)
    expect((await call('PATCH', path, { full_name: 'Ada Byron' })).body).toMatchObject({
      full_name: 'Ada Byron',
    })
  })

  it('is not kept if it was there before, and its person did not agree', async () => {
    const company = await addScimCompany(service, admin)
    const name = `${randomUUID()}@${company.domain}`
    const person = await addSignedIn(service, { email: name })
    expect((await company.directory.addUser({ userName: name })).status).toBe(201)
    expect((await company.signIn(name)).me).toMatchObject({ id: person.user.id })
    expect((await call('PATCH', `users/${person.user.id}`, { full_name: 'Ada' })).status).toBe(200)
  })

  it('refuses all of a hundred changes at once, while the directory changes it', async () => {
    const company = await addScimCompany(service, admin)
    const person = await company.bring()
    const tries = Array.from({ length: 100 }, (_, at) =>
      call('PATCH', `users/${person.user}`, { full_name: `Mallory ${at}` }),
    )
    const byDirectory = await company.directory.patch(person.id, { displayName: 'Ada King' })
    expect(byDirectory.status).toBe(200)
    expect(new Set((await Promise.all(tries)).map(({ status }) => status))).toEqual(new Set([409]))
    expect((await call('GET', `users/${person.user}`)).body.full_name).toBe('Ada King')
  })
})

describe('a member of a group that a directory gave', () => {
  /** A group with somebody whom the directory put into it, and somebody whom a person did. */
  const addMembers = async () => {
    const name = `Editors ${randomUUID()}`
    const group = await addGroup(name)
    const company = await addScimCompany(service, admin, {
      fields: { allowed_groups: [name], user_template: await addTemplate() },
    })
    const person = await company.bring()
    const scimGroup = await sendGroup(company, name, [person.id])
    const local = await addSignedIn(service, {})
    expect((await call('POST', `groups/${group}/members`, { add: [local.user.id] })).status).toBe(200)
    const groupsOf = async (user: number) => (await call('GET', `users/${user}`)).body.groups
    expect(await groupsOf(person.user)).toEqual([group])
    return { group, name, company, person, scimGroup, local: local.user.id, groupsOf }
  }

  it('stays by each door, while others come and go', async () => {
    const { group, name, company, person, local, groupsOf } = await addMembers()
    const members = `groups/${group}/members`
    expect(await call('POST', members, { remove: [person.user] })).toMatchObject(kept(['groups'], company))
    expect(await call('PATCH', `groups/${group}`, { members: [{ id: local }] })).toMatchObject(
      kept(['groups'], company),
    )
    expect(await call('PUT', `groups/${group}`, { name, permissions: [], members: [] })).toMatchObject({
      status: 409,
    })
    expect(await call('PATCH', `users/${person.user}`, { groups: [] })).toMatchObject(
      kept(['groups'], company),
    )
    expect(await groupsOf(person.user)).toEqual([group])
    expect((await call('GET', `users/${person.user}`)).body.kept_by_directories).toMatchObject([
      { groups: [group] },
    ])
    await call('POST', members, { remove: [local] })
    expect(await groupsOf(local)).toEqual([])
    expect((await call('POST', members, { add: [local] })).status).toBe(200)
  })

  it('leaves by the directory, and by the end of the group', async () => {
    const { group, company, person, scimGroup, groupsOf } = await addMembers()
    const { directory } = company
    const left = await directory.call('PATCH', `/Groups/${scimGroup}`, {
      schemas: [schemas.patch],
      Operations: [{ op: 'remove', path: `members[value eq "${person.id}"]` }],
    })
    expect(left.status, left.text).toBeLessThan(300)
    expect(await groupsOf(person.user)).toEqual([])
    await directory.call('PATCH', `/Groups/${scimGroup}`, {
      schemas: [schemas.patch],
      Operations: [{ op: 'add', path: 'members', value: [{ value: person.id }] }],
    })
    expect(await groupsOf(person.user)).toEqual([group])
    expect((await call('DELETE', `groups/${group}`)).status).toBe(204)
    expect(await groupsOf(person.user)).toEqual([])
  })
})

describe('the roles that a directory gave in an organization', () => {
  const addRoles = async () => {
    await call('PUT', 'organization-roles', {
      roles: [{ key: 'accountant', permissions: [], given_by: 'members', texts: { en: 'Accountant' } }],
    })
    const { id: organizationId } = await addOrganization(service, admin)
    const company = await addScimCompany(service, admin, {
      organizationId,
      settings: { group_roles: [{ group: 'Finance', roles: ['accountant'] }] },
    })
    const owner = await addMember(service, admin, organizationId, ['owner'])
    const person = await company.bring()
    await sendGroup(company, 'Finance', [person.id])
    return { organizationId, company, owner: callAs(service, owner), person }
  }

  it('are shown as such, stay, and let owners give others and remove the member', async () => {
    const { organizationId, company, owner, person } = await addRoles()
    const member = `organizations/${organizationId}/members/${person.user}`
    const { body } = await owner('GET', `organizations/${organizationId}/members`)
    expect(
      body.find(({ user }: { readonly user: { readonly id: number } }) => user.id === person.user),
    ).toMatchObject({
      directory_roles: { name: 'Acme', roles: ['accountant'] },
    })
    for (const staff of [owner, call])
      expect(await staff('PATCH', member, { roles: ['member'] })).toMatchObject(kept(['roles'], company))
    expect((await owner('PATCH', member, { roles: ['member', 'accountant', 'admin'] })).status).toBe(200)
    expect((await owner('DELETE', member)).status).toBe(204)
  })

  it('end with the suspension of the organization', async () => {
    const { organizationId, owner, person } = await addRoles()
    const path = `organizations/${organizationId}`
    expect((await call('PATCH', path, { state: 'suspended' })).status).toBe(200)
    expect((await call('PATCH', path, { state: 'active' })).status).toBe(200)
    expect((await owner('DELETE', `${path}/members/${person.user}?keep_out=true`)).status).toBe(204)
  })

  it('are free with the setting', async () => {
    const { organizationId, company, owner, person } = await addRoles()
    const scim = `auth/connections/${company.connectionId}/scim`
    expect((await call('PUT', scim, { ...scimSettings, allows_local_changes: true })).status).toBe(200)
    const member = `organizations/${organizationId}/members/${person.user}`
    const { status, body } = await owner('PATCH', member, { roles: ['member'] })
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('directory_roles')
  })
})

describe('an end of access', () => {
  const ends: Readonly<
    Record<string, (person: Brought, own: ReturnType<typeof callAsBrought>) => Promise<number>>
  > = {
    disable: async ({ user }) => (await call('PATCH', `users/${user}`, { is_enabled: false })).status,
    expire: async ({ user }) =>
      (await call('PATCH', `users/${user}`, { expiry: '2020-01-01T00:00:00.000Z' })).status,
    delete: async ({ user }) => (await call('DELETE', `users/${user}`)).status,
    'end everything': async ({ user }) => (await call('POST', `users/${user}/holdings/end`, {})).status,
    'end of sessions': async ({ user }) => (await call('DELETE', `users/${user}/sessions`)).status,
    'unlink by an administrator': async ({ user }) => {
      const [account] = (await call('GET', `users/${user}/company-accounts`)).body
      return (await call('DELETE', `users/${user}/company-accounts/${account.id}`)).status
    },
    'leak of a session': async ({ browser }) => {
      const token = browser.cookie('latchkey')
      return (await service.client('POST', '/api/2/auth/leaked', { body: { token } })).status
    },
    'merge into another account': async ({ user }) => {
      const other = await addSignedIn(service, {})
      return (await call('POST', `users/${other.user.id}/merge`, { user })).status
    },
  }

  it.each(Object.entries(ends))('is never refused: %s', async (_, end) => {
    const name = `Editors ${randomUUID()}`
    await addGroup(name)
    const company = await addScimCompany(service, admin, { fields: { allowed_groups: [name] } })
    const person = await company.bring()
    await sendGroup(company, name, [person.id])
    expect(await end(person, callAsBrought(person))).toBeLessThan(300)
  })

  it('is declared by these operations, and all others are checked', () => {
    const declared = (kind: string) =>
      operations.filter(({ localChange }) => localChange === kind).map(({ id }) => id)
    expect(declared('ends_access').toSorted()).toEqual([
      'delete_group',
      'delete_user',
      'end_user_holdings',
      'merge_user',
      'report_change',
      'report_leaked_credentials',
      'request_account_deletion',
      'unlink_own_company_account',
      'unlink_user_company_account',
    ])
    expect(declared('by_connection').toSorted()).toEqual([
      'answer_own_directory',
      'answer_sign_in_question',
      'change_scim_resource',
      'create_scim_resource',
      'delete_scim_resource',
      'get_scim_resource',
      'list_scim_resources',
      'receive_oidc_answer',
      'receive_oidc_answer_by_form',
      'receive_saml_auth_assertion',
      'replace_scim_resource',
    ])
  })
})
