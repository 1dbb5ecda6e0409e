import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { buildCompanyAccountSteps } from '../../lib/features/connections/accounts.records.ts'
import { holdings } from '../../lib/features/leaked-credentials/holdings.records.ts'
import { findMembership } from '../../lib/features/organizations/memberships.records.ts'
import { findScimUser } from '../../lib/features/provisioning/users.records.ts'
import { TestBrowser } from '../support/browser.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { companyKinds } from '../support/company-sign-in.ts'
import { credentialKinds, holdingLimits, type Owner, startHoldings } from '../support/holdings.ts'
import { acceptShown, addMember, addOrganization, inviteMember } from '../support/organization-invitations.ts'
import { addSignedIn, callAs, signIn, trySignIn } from '../support/people.ts'
import { vouchForDomains } from '../support/saml.ts'
import { addDirectory, schemas, storeConnection } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

/* Somebody leaves the directory. They, and those who act for them, want to keep something. */

const service = await useService({ ...holdingLimits, ALLOW_PRIVATE_METADATA: 'true' })
const { table } = service.services
const { addOwner, makers, staff } = await startHoldings(service)
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const saml = companyKinds[0]
if (!saml) throw new Error('there is a kind of connections')

/** Gives a person an identity at a connection, and has its directory send them. */
const sendOwner = async (connectionId: number, { user }: Pick<Owner, 'user'>) => {
  const name = `${randomUUID()}@directory.example`
  await table.transact(
    buildCompanyAccountSteps(
      { providerId: connectionId, nameId: name, qualifiers: [] },
      { userId: user.id, groups: [], linkedAt: Date.now(), shownName: name, deletedUserId: undefined },
    ),
  )
  const directory = await addDirectory(service, connectionId, {}, admin)
  const { body } = await directory.addUser({ userName: name })
  expect((await findScimUser(table, connectionId, body.id))?.userId).toBe(user.id)
  return { directory, id: body.id as string }
}

describe('who leaves the directory of the whole service', () => {
  const ended = credentialKinds.filter((kind) => holdings[kind].ends.everything !== 'stays')

  it.each(ended.filter((kind) => kind !== 'saml_setup'))('loses %s with the response', async (kind) => {
    const owner = await addOwner()
    const connectionId = await storeConnection(service)
    const { directory, id } = await sendOwner(connectionId, owner)
    const held = await makers[kind](owner)
    const answer = await directory.patch(id, { active: false })
    expect([answer.status, answer.body.active]).toEqual([200, false])
    expect(await held.works()).toBe(false)
  })

  /** Somebody whom a directory brought, who has a password, too. */
  const bringIn = async () => {
    const domain = `${randomUUID()}.example`
    const company = closeAfterTests(await saml.add(service, 'Acme', { auto_create_users: true }))
    await vouchForDomains(service, { id: company.id, admin: admin.bearer }, [domain])
    const directory = await addDirectory(service, company.id, {}, admin)
    const name = `${randomUUID()}@${domain}`
    const { body } = await directory.addUser({ userName: name })
    const browser = new TestBrowser(service)
    await (await company.start(browser))(name)
    const me = (await browser.get('/api/2/users/me')).body
    const password = 'violin harbor mustard tent'
    expect((await staff('PATCH', `users/${me.id}`, { allow_changing_password: true })).status).toBe(200)
    expect((await staff('POST', `users/${me.id}/password`, { password })).status).toBeLessThan(300)
    const person = { user: me, password, bearer: '' }
    return { directory, id: body.id as string, me, browser, person }
  }

  it('keeps nothing by a password, a passkey or a token that was made since', async () => {
    const { directory, id, me, browser, person } = await bringIn()
    await directory.patch(id, { active: false })
    expect((await trySignIn(service, person)).status).toBe(401)
    expect(await findUser(table, me.id)).toMatchObject({ is_enabled: false, passwordHash: null })
    expect((await browser.get('/api/2/users/me')).status).toBe(401)
    const events = await staff('GET', `auth/audit-events?event=user.everything_ended&user=${me.id}`)
    expect(events.body).toMatchObject([{ actor: null, credential: 'scim_token' }])
  })

  it('keeps nothing by what they give themselves', async () => {
    const { directory, id, me, person } = await bringIn()
    const bearer = await signIn(service, person)
    const call = callAs(service, { bearer })
    await staff('PUT', 'organization-policy', { creation: 'everybody' })
    const found = async () => {
      const slug = `own-${randomUUID().slice(0, 13).replaceAll(/[01]/g, '2')}`
      const created = await call('POST', 'users/me/organizations', { name: 'Own', slug })
      expect(created.status, created.text).toBe(201)
      return created.body.id as number
    }
    const [owned, left] = [await found(), await found()]
    // A helper is an owner of it, and takes the founder in again.
    const helper = await addMember(service, admin, left, ['owner'])
    expect((await call('DELETE', `users/me/organizations/${left}`)).status).toBe(204)
    const path = `/api/2/organizations/${left}/invitations`
    const { token } = await inviteMember(service, { path }, helper, { email: me.email, roles: ['owner'] })
    expect((await acceptShown(service, bearer, token)).status).toBe(200)
    // A connection of their own organization signs them in, and so does a public provider.
    for (const fields of [
      { organization_id: owned, isFromOrganization: true },
      { public_provider: 'google', first_sign_in: 'create' },
    ])
      await table.transact(
        buildCompanyAccountSteps(
          { providerId: await storeConnection(service, fields), nameId: me.email, qualifiers: [] },
          { userId: me.id, groups: [], linkedAt: Date.now(), shownName: 'me', deletedUserId: undefined },
        ),
      )
    expect((await directory.patch(id, { active: false })).status).toBe(200)
    expect(await findUser(table, me.id)).toMatchObject({ is_enabled: false, passwordHash: null })
    expect((await trySignIn(service, person)).status).toBe(401)
  })

  it('keeps the account for the way that somebody else gave, and nothing but that way', async () => {
    const [member, other] = [await bringIn(), await bringIn()]
    const { id: organization } = await addOrganization(service, admin)
    const joins = { user: member.me.id, roles: ['member'] }
    expect((await staff('POST', `organizations/${organization}/members`, joins)).status).toBe(201)
    await sendOwner(await storeConnection(service), { user: other.me })
    for (const { directory, id } of [member, other])
      expect((await directory.patch(id, { active: false })).status).toBe(200)
    expect((await trySignIn(service, member.person)).status).toBe(200)
    expect(await findUser(table, other.me.id)).toMatchObject({ is_enabled: true, passwordHash: null })
  })

  it('keeps the account and its other sign-ins if they decide about others and the directory did not make it', async () => {
    const root = await addSignedIn(service, { permissions: ['users:manage'] })
    const { directory, id } = await sendOwner(await storeConnection(service), root)
    expect((await directory.patch(id, { active: false })).status).toBe(200)
    expect((await service.client('GET', '/api/2/users/me', { bearer: root.bearer })).status).toBe(200)
    expect((await findUser(table, root.user.id))?.is_enabled).toBe(true)
  })
})

describe('who leaves the directory of an organization', () => {
  /** An organization with another owner, whose directory sent a member. */
  const addMemberOf = async (roles: readonly string[], { isAlone = false } = {}) => {
    const { id: organizationId, owner: other } = await addOrganization(service, admin)
    const person = await addMember(service, admin, organizationId, roles)
    if (isAlone)
      expect((await staff('DELETE', `organizations/${organizationId}/members/${other.user.id}`)).status).toBe(
        204,
      )
    const connectionId = await storeConnection(service, { organization_id: organizationId })
    const sent = await sendOwner(connectionId, person)
    return { ...sent, organizationId, connectionId, owner: { ...person, organizationId } }
  }
  const membershipOf = ({ owner, organizationId }: { owner: Owner; organizationId: number }) =>
    findMembership(table, { userId: owner.user.id, organizationId })

  it('loses the membership and what it gave, and keeps the account', async () => {
    const left = await addMemberOf(['owner'])
    const { directory, id, owner, organizationId } = left
    const [invitation, token] = [
      await makers.organization_invitation(owner),
      await makers.organization_token(owner),
    ]
    expect((await directory.patch(id, { active: false })).status).toBe(200)
    expect(await membershipOf(left)).toBeUndefined()
    const own = callAs(service, owner)
    expect((await own('GET', `organizations/${organizationId}/members`)).status).toBe(404)
    expect((await own('GET', 'users/me')).status).toBe(200)
    expect(await invitation.works()).toBe(false)
    // It belongs to the organization.
    expect(await token.works()).toBe(true)
    expect((await directory.patch(id, { active: true })).body.active).toBe(true)
    expect((await membershipOf(left))?.roles).toEqual(['owner'])
    expect(await invitation.works()).toBe(false)
  })

  it('stays a member as the last owner, without the rest, until somebody else is one', async () => {
    const left = await addMemberOf(['owner'], { isAlone: true })
    const { directory, id, owner, organizationId, connectionId } = left
    const invitation = await makers.organization_invitation(owner)
    for (let round = 0; round < 2; round++) {
      const answer = await directory.patch(id, { active: false })
      expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('last owner')])
    }
    expect((await membershipOf(left))?.roles).toEqual(['owner'])
    expect(await invitation.works()).toBe(false)
    expect((await findScimUser(table, connectionId, id))?.isActive).toBe(false)
    const events = await staff('GET', `auth/audit-events?event=scim.owner_kept&user=${owner.user.id}`)
    expect(events.body[0]).toMatchObject({ organization: organizationId })
    await addMember(service, admin, organizationId, ['owner'])
    expect((await directory.patch(id, { active: false })).status).toBe(200)
    expect(await membershipOf(left)).toBeUndefined()
  })

  it('is not brought back if an owner removed them', async () => {
    const left = await addMemberOf(['member'])
    const { directory, id, owner, organizationId } = left
    await staff('DELETE', `organizations/${organizationId}/members/${owner.user.id}?keep_out=true`)
    await directory.patch(id, { active: false })
    const back = await directory.patch(id, { active: true })
    expect([back.status, back.body.active]).toEqual([200, false])
    expect(await membershipOf(left)).toBeUndefined()
  })

  it('does not touch the people of another organization', async () => {
    const [acme, other] = [await addMemberOf(['member']), await addMemberOf(['member'])]
    for (const path of [`/Users/${other.id}`, `/Groups/${other.id}`])
      for (const [method, body] of [
        ['GET', undefined],
        ['PUT', { schemas: [schemas.user, schemas.group], userName: 'x', displayName: 'x' }],
        ['PATCH', { schemas: [schemas.patch], Operations: [{ op: 'replace', value: { active: false } }] }],
        ['DELETE', undefined],
      ] as const)
        expect((await acme.directory.call(method, path, body)).status, `${method} ${path}`).toBe(404)
    expect(await membershipOf(other)).toBeDefined()
    const found = await acme.directory.call(
      'GET',
      `/Users?filter=${encodeURIComponent(`id eq "${other.id}"`)}`,
    )
    expect(found.body.totalResults).toBe(0)
  })
})

describe('who signs in while they leave', () => {
  it('has no session afterwards', async () => {
    const domain = `${randomUUID()}.example`
    const company = closeAfterTests(await saml.add(service, 'Acme', { auto_create_users: true }))
    await vouchForDomains(service, { id: company.id, admin: admin.bearer }, [domain])
    const directory = await addDirectory(service, company.id, {}, admin)
    for (let round = 0; round < 6; round++) {
      const name = `${randomUUID()}@${domain}`
      const { body } = await directory.addUser({ userName: name })
      const browser = new TestBrowser(service)
      // The first sign-in, or one with an account.
      if (round % 2) await (await company.start(browser))(name)
      const answer = await company.start(browser)
      const [, left] = await Promise.all([answer(name), directory.patch(body.id, { active: false })])
      expect(left.status).toBe(200)
      expect((await browser.get('/api/2/users/me')).status).toBe(401)
    }
  })

  it('stays ended if a PUT without active arrives at the same time', async () => {
    const directory = await addDirectory(service, await storeConnection(service), {}, admin)
    for (let round = 0; round < 5; round++) {
      const userName = randomUUID()
      const { body } = await directory.addUser({ userName })
      await Promise.all([
        directory.patch(body.id, { active: false }),
        directory.call('PUT', `/Users/${body.id}`, { schemas: [schemas.user], userName, title: 'x' }),
      ])
      expect((await directory.call('GET', `/Users/${body.id}`)).body.active).toBe(false)
    }
  })
})

it('forgets what a directory sent when its connection is deleted', async () => {
  const connectionId = await storeConnection(service)
  const directory = await addDirectory(service, connectionId, {}, admin)
  const { body } = await directory.addUser({ userName: 'ada', emails: [{ value: 'ada@example.com' }] })
  await directory.call('POST', '/Groups', {
    schemas: [schemas.group],
    displayName: 'Team',
    members: [{ value: body.id }],
  })
  expect((await staff('DELETE', `auth/oidc-connections/${connectionId}`)).status).toBe(204)
  expect((await directory.call('GET', '/Users')).status).toBe(401)
  for (const pk of [`scim#${connectionId}`, `scim#${connectionId}#${body.id}`])
    expect(await table.page({ pk, limit: 10 })).toEqual([])
})
