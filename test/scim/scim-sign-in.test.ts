import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser, findUserIdByEmail } from '../../lib/accounts/users/find-users.records.ts'
import { findScimUser } from '../../lib/features/provisioning/users.records.ts'
import { TestBrowser } from '../support/browser.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { companyKinds } from '../support/company-sign-in.ts'
import { addOrganization } from '../support/organization-invitations.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { vouchForDomains } from '../support/saml.ts'
import { addDirectory, schemas, scimSettings } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' }, { sendsMail: false })
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)

describe.each(companyKinds)('a sign-in by $kind', ({ add }) => {
  /** A connection with a proven domain, whose directory may send people. */
  const addCompany = async (settings: object = {}, fields: object = {}) => {
    const domain = `${randomUUID()}.example`
    const company = closeAfterTests(await add(service, 'Acme', { auto_create_users: true, ...fields }))
    await vouchForDomains(service, { id: company.id, admin: admin.bearer }, [domain])
    const directory = await addDirectory(service, company.id, settings, admin)
    const signIn = async (account: string, browser = new TestBrowser(service)) => {
      const answer = await company.start(browser)
      const { status } = await answer(account)
      const me = await browser.get('/api/2/users/me')
      return { status, me: me.status === 200 ? me.body : undefined, browser }
    }
    return { ...company, domain, directory, signIn, newName: () => `${randomUUID()}@${domain}` }
  }

  it('makes the account of a person whom the directory sent, and of nobody else', async () => {
    const { directory, signIn, newName } = await addCompany()
    const [sent, unknown] = [newName(), newName()]
    const { body } = await directory.addUser({ userName: sent.toUpperCase() })
    const { me } = await signIn(sent)
    expect(me).toMatchObject({ email: sent })
    expect(await findScimUser(table, directory.connectionId, body.id)).toMatchObject({
      userId: me.id,
      madeUser: true,
    })
    expect((await call('GET', `users/${me.id}/company-accounts`)).body).toMatchObject([
      { from_directory: true },
    ])
    expect((await signIn(unknown)).me).toBeUndefined()
    expect(await findUserIdByEmail(table, unknown)).toBeUndefined()
    // From then on the name at the provider counts.
    await directory.call('PATCH', `/Users/${body.id}`, {
      schemas: [schemas.patch],
      Operations: [{ op: 'replace', value: { userName: newName() } }],
    })
    expect((await signIn(sent)).me?.id).toBe(me.id)
  })

  it('gives what the groups of the person give, and keeps it apart from the groups of the sign-in', async () => {
    const { body: group } = await call('POST', 'groups', { name: `g-${randomUUID()}`, permissions: [] })
    const { directory, signIn, newName } = await addCompany({}, { allowed_groups: [group.name] })
    const [member, other] = [newName(), newName()]
    const ids = []
    for (const userName of [member, other]) ids.push((await directory.addUser({ userName })).body.id)
    const sent = await directory.call('POST', '/Groups', {
      schemas: [schemas.group],
      displayName: group.name,
      members: [{ value: ids[0] }],
    })
    expect(sent.status).toBe(201)
    const groupsOf = async (name: string) => (await findUser(table, (await signIn(name)).me?.id ?? 0))?.groups
    expect([await groupsOf(member), await groupsOf(other)]).toEqual([[group.id], []])
    await directory.call('DELETE', `/Groups/${sent.body.id}`)
    expect(await groupsOf(member)).toEqual([])
  })

  it('makes accounts of others only if the connection says so', async () => {
    const { signIn, newName } = await addCompany({ creates_unknown_users: true })
    expect((await signIn(newName())).me).toBeDefined()
  })

  it('from before leads the directory to the account', async () => {
    const { directory, signIn, newName, id } = await addCompany({ enabled: false })
    const [before, between] = [newName(), newName()]
    const old = await signIn(before)
    await call('PUT', `auth/connections/${id}/scim`, { ...scimSettings, creates_unknown_users: true })
    const young = await signIn(between)
    for (const [name, { me, browser }] of [
      [before, old],
      [between, young],
    ] as const) {
      const { body } = await directory.addUser({ userName: name })
      expect((await findScimUser(table, id, body.id))?.userId).toBe(me.id)
      // It has not signed in since the directory sent it.
      expect((await directory.patch(body.id, { active: false })).body.active).toBe(false)
      expect((await browser.get('/api/2/users/me')).status).toBe(401)
      expect((await signIn(name)).me).toBeUndefined()
    }
  })

  it('at the same time as the directory sends the person leads to one account', async () => {
    const { directory, signIn, newName, id } = await addCompany({ creates_unknown_users: true })
    for (let round = 0; round < 4; round++) {
      const name = newName()
      const [signedIn, sent] = await Promise.all([signIn(name), directory.addUser({ userName: name })])
      expect(sent.status).toBe(201)
      const { me } = signedIn.me ? signedIn : await signIn(name)
      expect((await findScimUser(table, id, sent.body.id))?.userId).toBe(me.id)
    }
  })

  it('is refused for people whom the directory ended or deleted, whatever the provider says', async () => {
    const { directory, signIn, newName, id } = await addCompany({ creates_unknown_users: true })
    const [ended, deleted, never] = [newName(), newName(), newName()]
    const ids = []
    for (const userName of [ended, deleted, never]) ids.push((await directory.addUser({ userName })).body.id)
    const first = [await signIn(ended), await signIn(deleted)]
    await directory.patch(ids[0], { active: false })
    expect((await directory.call('DELETE', `/Users/${ids[1]}`)).status).toBe(204)
    await directory.patch(ids[2], { active: false })
    for (const { browser } of first) expect((await browser.get('/api/2/users/me')).status).toBe(401)
    for (const name of [ended, deleted, never]) expect((await signIn(name)).me).toBeUndefined()
    // Also while the directory is stopped.
    await call('PUT', `auth/connections/${id}/scim`, { ...scimSettings, enabled: false })
    for (const name of [ended, deleted, never]) expect((await signIn(name)).me).toBeUndefined()
    expect(await findUserIdByEmail(table, never)).toBeUndefined()
  })

  it('works again for people whom the directory brings back, with the same account', async () => {
    const { directory, signIn, newName } = await addCompany()
    const [paused, deleted] = [newName(), newName()]
    const externalId = randomUUID()
    const one = (await directory.addUser({ userName: paused })).body.id
    const two = (await directory.addUser({ userName: deleted, externalId })).body.id
    const before = [await signIn(paused), await signIn(deleted)]
    await directory.patch(one, { active: false })
    expect((await findUser(table, before[0]?.me.id))?.is_enabled).toBe(false)
    expect((await directory.patch(one, { active: true })).body.active).toBe(true)
    await directory.call('DELETE', `/Users/${two}`)
    const other = await directory.addUser({ userName: deleted, externalId: 'another' })
    expect((await signIn(deleted)).me).toBeUndefined()
    await directory.call('DELETE', `/Users/${other.body.id}`)
    const again = await directory.addUser({ userName: deleted, externalId })
    expect([again.status, again.body.active]).toEqual([201, true])
    expect(again.body.id).not.toBe(two)
    const after = [await signIn(paused), await signIn(deleted)]
    expect(after.map(({ me }) => me?.id)).toEqual(before.map(({ me }) => me.id))
    for (const { browser } of before) expect((await browser.get('/api/2/users/me')).status).toBe(401)
  })

  it('stays refused if an administrator ended the account', async () => {
    const { directory, signIn, newName } = await addCompany()
    const name = newName()
    const { id } = (await directory.addUser({ userName: name })).body
    const { me } = await signIn(name)
    await call('PATCH', `users/${me.id}`, { is_enabled: false })
    await directory.patch(id, { active: false })
    const back = await directory.patch(id, { active: true })
    expect([back.status, back.body.active]).toEqual([200, false])
    expect((await signIn(name)).me).toBeUndefined()
    expect((await findUser(table, me.id))?.is_enabled).toBe(false)
  })

  it('adopts an account inside the proven domains without changing its name and address', async () => {
    const { directory, signIn, newName } = await addCompany()
    const email = newName()
    const person = await addPerson(service, { email, username: `ada-${randomUUID()}` })
    const sent = await directory.addUser({ userName: email, displayName: 'Other' })
    expect(sent.status).toBe(201)
    const { me } = await signIn(email)
    expect(me).toMatchObject({ id: person.user.id, username: person.user.username, email })
    const root = await addPerson(service, { email: newName(), permissions: ['users:manage'] })
    const refused = await directory.addUser({ userName: root.user.email })
    expect([refused.status, refused.body.scimType]).toEqual([409, 'uniqueness'])
  })

  it('is of an account that has the name of the person, without rights of its own', async () => {
    const { directory, signIn, newName } = await addCompany()
    const name = newName()
    const { id } = (await directory.addUser({ userName: name })).body
    const { me } = await signIn(name)
    await directory.patch(id, { displayName: 'Ada Lovelace' })
    expect((await findUser(table, me.id))?.full_name).toBe('Ada Lovelace')
    await call('PATCH', `users/${me.id}`, { permissions: ['media:access'] })
    await directory.patch(id, { displayName: 'Somebody else' })
    expect((await findUser(table, me.id))?.full_name).toBe('Ada Lovelace')
  })

  it('is of an account whose address the directory changes inside its domains', async () => {
    const { directory, signIn, newName, domain } = await addCompany()
    const name = newName()
    const { id } = (await directory.addUser({ userName: name, emails: [{ value: name }] })).body
    const { me } = await signIn(name)
    const move = async (value: string) => {
      const { status, body } = await directory.patch(id, { emails: [{ value, primary: true }] })
      const user = await findUser(table, me.id)
      return { status, scimType: body.scimType, email: user?.email, pending: user?.pendingEmail?.email }
    }
    const moved = newName()
    expect(await move(moved)).toMatchObject({ status: 200, email: moved })
    expect(await findUserIdByEmail(table, moved)).toBe(me.id)
    // Outside, an address is stored in the record and used for nothing, whoever has it.
    const outside = await addPerson(service, { email: `${randomUUID()}@elsewhere.example` })
    for (const value of [outside.user.email ?? '', `x@sub.${domain}`, `x@${domain}.example`])
      expect(await move(value)).toMatchObject({ status: 200, email: moved })
    const holder = await addPerson(service, { email: newName() })
    const refused = await move(holder.user.email ?? '')
    expect(refused).toMatchObject({ status: 409, scimType: 'uniqueness', email: moved })
    expect((await directory.call('GET', `/Users/${id}`)).body.emails).not.toMatchObject([
      { value: holder.user.email },
    ])
    // A domain that is lost makes nothing new true, and people still leave.
    await call('DELETE', `auth/connections/${directory.connectionId}/domains/${domain}`)
    expect(await move(newName())).toMatchObject({ status: 200, email: moved })
    await directory.patch(id, { displayName: 'Somebody else' })
    expect((await findUser(table, me.id))?.full_name).not.toBe('Somebody else')
    expect((await directory.patch(id, { active: false })).body.active).toBe(false)
    expect((await findUser(table, me.id))?.is_enabled).toBe(false)
  })

  it('asks for the address of an account to which somebody else gave something', async () => {
    const { directory, signIn, newName } = await addCompany()
    const { id: organization } = await addOrganization(service, admin)
    const gifts = [
      (user: number) => call('PATCH', `users/${user}`, { permissions: ['media:access'] }),
      (user: number) => call('POST', `organizations/${organization}/members`, { user, roles: ['member'] }),
      async (user: number) => {
        const { body } = await call('POST', 'groups', { name: randomUUID(), permissions: [] })
        return call('PATCH', `users/${user}`, { groups: [body.id] })
      },
    ]
    for (const give of gifts) {
      const name = newName()
      const { id } = (await directory.addUser({ userName: name, emails: [{ value: name }] })).body
      const { me } = await signIn(name)
      expect((await give(me.id)).status).toBeLessThan(300)
      const wanted = newName()
      const sent = await directory.patch(id, { emails: [{ value: wanted }], displayName: 'Other' })
      expect([sent.status, sent.body.emails]).toEqual([200, [{ value: wanted }]])
      expect(await findUser(table, me.id)).toMatchObject({ email: name, pendingEmail: { email: wanted } })
      expect((await findUser(table, me.id))?.full_name).not.toBe('Other')
    }
  })

  it('shows nothing about addresses outside the proven domains', async () => {
    const { directory } = await addCompany()
    const outside = await addPerson(service, { email: `${randomUUID()}@elsewhere.example` })
    const send = async (userName: string) => {
      const { status, body } = await directory.addUser({
        userName,
        emails: [{ value: userName, primary: true }],
      })
      const { id, meta, userName: _, emails: __, ...rest } = body
      return { status, rest }
    }
    const known = await send(outside.user.email ?? '')
    expect(known).toEqual(await send(`${randomUUID()}@elsewhere.example`))
    expect(known.status).toBe(201)
  })
})
