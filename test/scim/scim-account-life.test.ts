import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { findMembership } from '../../lib/features/organizations/memberships.records.ts'
import { environmentOf, makeFolder, runTable } from '../cli/command.ts'
import { addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { addDirectory } from '../support/scim.ts'
import { addScimCompany } from '../support/scim-company.ts'
import { readItems, restoreItems } from '../support/table-copies.ts'
import { useService } from '../support/use-service.ts'

/* What becomes of an account that a directory brought, by each of the ways in which accounts change and end. */

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' }, { sendsMail: false })
const { table } = service.services
let admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = (...request: Parameters<ReturnType<typeof callAs>>) => callAs(service, admin)(...request)
const folder = makeFolder()
afterAll(() => folder.remove())

const addCompany = (organizationId?: number) => addScimCompany(service, admin, { organizationId })

describe('an account that a directory brought', () => {
  it('is in the export like any other, with its address', async () => {
    const { bring } = await addCompany()
    const { name, user } = await bring()
    const { text } = await call('GET', 'users/export')
    expect(text.split('\n').filter((line) => line.includes(name))).toHaveLength(1)
    expect((await call('GET', `users/${user}/company-accounts`)).body).toMatchObject([
      { from_directory: true },
    ])
  })

  it('leads the directory to the account that it became part of, and leaves from there', async () => {
    const { directory, signIn, bring } = await addCompany()
    const { name, id, user } = await bring()
    const kept = await addSignedIn(service)
    expect((await call('POST', `users/${kept.user.id}/merge`, { user })).status).toBe(200)
    expect((await signIn(name)).me).toMatchObject({ id: kept.user.id })
    await directory.patch(id, { active: false })
    expect((await signIn(name)).me).toBeUndefined()
    expect((await callAs(service, kept)('GET', 'users/me')).status).toBe(401)
    const { body } = await call('GET', `auth/audit-events?event=user.everything_ended&user=${kept.user.id}`)
    expect(body).toHaveLength(1)
  })

  it('does not come back by the directory or by a sign-in once somebody here deleted it', async () => {
    const { directory, signIn, bring } = await addCompany()
    const { name, id, user } = await bring()
    expect((await call('DELETE', `users/${user}`)).status).toBe(204)
    expect((await signIn(name)).me).toBeUndefined()
    // The record stays the directory's, and says that it is ended here.
    expect((await directory.patch(id, { active: false })).body).toMatchObject({ active: false })
    expect((await directory.patch(id, { active: true })).body).toMatchObject({ active: false })
    expect((await signIn(name)).me).toBeUndefined()
    expect((await directory.call('DELETE', `/Users/${id}`)).status).toBe(204)
  })

  it('keeps what its person holds when the token of the directory leaks, which ends', async () => {
    const { connectionId, directory, signIn, bring } = await addCompany()
    const { name, browser, user } = await bring()
    const leaked = await service.client('POST', '/api/2/auth/leaked', { body: { token: directory.token } })
    expect(leaked.status, leaked.text).toBeLessThan(300)
    expect((await directory.call('GET', '/Users')).status).toBe(401)
    expect((await call('GET', `auth/connections/${connectionId}/scim`)).body.tokens).toEqual([])
    expect((await browser.get('/api/2/users/me')).status).toBe(200)
    expect((await signIn(name)).me).toMatchObject({ id: user })
  })

  it('ends in its organization together with it, and the directory is refused', async () => {
    const { id: organization } = await addOrganization(service, admin)
    const { directory, signIn, bring } = await addCompany(organization)
    const { name, browser, user } = await bring()
    expect(await findMembership(table, { userId: user, organizationId: organization })).toBeDefined()
    expect((await call('DELETE', `organizations/${organization}`)).status).toBe(204)
    expect((await directory.call('GET', '/Users')).status).toBe(401)
    expect((await browser.get(`/api/2/organizations/${organization}`)).status).not.toBe(200)
    expect((await signIn(name)).me).toBeUndefined()
  })
})

describe('after a restore', () => {
  let working: Awaited<ReturnType<typeof addCompany>>
  let person: Awaited<ReturnType<typeof working.bring>>

  beforeAll(async () => {
    working = await addCompany()
    person = await working.bring()
    const backup = await readItems(service.tableName)
    await working.directory.patch(person.id, { active: false })
    await restoreItems(service, backup)
    const command = ['end-credentials', '--table', service.tableName, '--restored']
    const { code, stderr } = await runTable(command, environmentOf(), folder.path)
    expect([code, stderr]).toEqual([0, ''])
    admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  })

  it('nothing works that the person or the directory held', async () => {
    expect((await person.browser.get('/api/2/users/me')).status).toBe(401)
    expect((await working.directory.call('GET', '/Users')).status).toBe(401)
  })

  it('a new token lets the directory end the person again, who has come back with the backup', async () => {
    const directory = await addDirectory(service, working.connectionId, {}, admin)
    await directory.patch(person.id, { active: false })
    expect((await working.signIn(person.name)).me).toBeUndefined()
    expect(await findUser(table, person.user)).toMatchObject({ is_enabled: false })
  })
})
