import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  beginMembership,
  changeRoles,
  endMembership,
  findMembership,
} from '../../lib/features/organizations/memberships.records.ts'
import {
  organizationCountsKey,
  organizationRecountKey,
} from '../../lib/kernel/table/keys/organization-keys.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { bundle, linksPath, lookUp, postLink, redeem } from '../support/links.ts'
import { addRelyingParty, getTokens, proveClient, refresh } from '../support/oidc.ts'
import { addConnection, signInByUpstream, startUpstream } from '../support/oidc-upstream.ts'
import {
  acceptShown,
  addMember,
  addOrganization,
  findOffer,
  inviteMember,
  newPersonAddress,
  type OwnedOrganization,
} from '../support/organization-invitations.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { sessionOf } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* Someone was removed from an organization and joins it again. What they, or a thief, had from before stays ended. */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'samlStarts=100000/60,invitationsPerInviter=100000/60',
})
const { table } = service.services
const upstream = closeAfterTests(await startUpstream())
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const scopes = ['openid', 'organization', 'offline_access'] as const
const party = await addRelyingParty(service, { scopes })
await call('PUT', 'organization-roles', {
  roles: [
    {
      key: 'helper',
      texts: { en: 'Helper' },
      permissions: ['org:members:view', 'org:members:manage', 'org:links:manage', 'org:sign-in:manage'],
    },
    { key: 'keeper', texts: { en: 'Keeper' }, permissions: ['org:keys:manage', 'org:members:view'] },
  ],
})
const acme = await addOrganization(service, admin)

type Place = Pick<OwnedOrganization, 'id'>
const pathOf = ({ id }: Place, { user }: Pick<SignedInPerson, 'user'>) =>
  `organizations/${id}/members/${user.id}`
const add = async ({ id }: Place, { user }: SignedInPerson, roles: readonly string[]) => {
  const added = await call('POST', `organizations/${id}/members`, { user: user.id, roles })
  expect(added.status, added.text).toBe(201)
}
const remove = async (place: Place, person: SignedInPerson, query = '') =>
  expect((await call('DELETE', pathOf(place, person) + query)).status).toBe(204)
/** Removes somebody, and adds them with these roles again. */
const readd = async (place: Place, person: SignedInPerson, roles: readonly string[]) => {
  await remove(place, person)
  await add(place, person, roles)
}
const countsOf = async ({ id }: Place) => {
  const { body } = await call('GET', `organizations/${id}`)
  return { members: body.member_count, isOwnerless: body.is_ownerless }
}
const listRoles = async ({ id }: Place): Promise<readonly (readonly string[])[]> =>
  (await call('GET', `organizations/${id}/members`)).body.map((one: { roles: string[] }) => one.roles)

describe('a membership that begins again', () => {
  it('is not changed or ended by what was read of the one before', async () => {
    const place = await addOrganization(service, admin)
    const member = await addMember(service, admin, place.id, ['member'])
    const ids = { userId: member.user.id, organizationId: place.id }
    const before = await findMembership(table, ids)
    if (!before) throw new Error('there is no membership')
    await readd(place, member, ['owner'])
    const late = { keepsOwner: true, extraSteps: [] }
    await expect(endMembership(table, before, late)).rejects.toMatchObject({ name: 'EditConflict' })
    const roles = { roles: ['owner'], rolesGivenBy: null }
    await expect(changeRoles(table, before, roles, late)).rejects.toMatchObject({ name: 'EditConflict' })
    expect(await countsOf(place)).toEqual({ members: 2, isOwnerless: false })
    // The first owner leaves, and the second one stays the last one.
    expect((await callAs(service, place.owner)('DELETE', `users/me/organizations/${place.id}`)).status).toBe(
      204,
    )
    expect((await callAs(service, member)('DELETE', `users/me/organizations/${place.id}`)).body.reason).toBe(
      'last_owner',
    )
  })

  it('has another random ID each time', () => {
    const fields = {
      userId: 1,
      organizationId: 1,
      roles: [],
      source: 'import',
      joinedAt: 0,
      rolesGivenBy: null,
    } as const
    const made = Array.from({ length: 100 }, () => beginMembership(fields).joining)
    expect(new Set(made).size).toBe(100)
    expect(made.every((one) => one.length >= 16)).toBe(true)
  })

  it('leaves the counts right after parallel removals and joinings', async () => {
    for (let round = 0; round < 12; round++) {
      const place = await addOrganization(service, admin)
      const member = await addMember(service, admin, place.id, ['member'])
      const body = { user: member.user.id, roles: ['owner'] }
      await Promise.all([
        call('DELETE', pathOf(place, member)),
        call('POST', `organizations/${place.id}/members`, body),
        call('DELETE', pathOf(place, member)),
        call('POST', `organizations/${place.id}/members`, body),
      ])
      const roles = await listRoles(place)
      expect((await countsOf(place)).members).toBe(roles.length)
      const owners = roles.filter((one) => one.includes('owner')).length
      const left = await callAs(service, place.owner)('DELETE', `users/me/organizations/${place.id}`)
      expect(left.status).toBe(owners > 1 ? 204 : 409)
    }
  })
})

describe('someone who joined again', () => {
  it('has no tokens from before, and gets new ones', async () => {
    const member = await addMember(service, admin, acme.id, ['member'])
    const ask = { scope: scopes.join(' '), organization: String(acme.id) }
    const isActive = async (token: string): Promise<boolean> => {
      const body = new URLSearchParams({ token, ...proveClient(party) })
      const answer = await fetch(`${service.url}/oauth2/introspect`, { method: 'POST', body })
      return ((await answer.json()) as { active: boolean }).active
    }
    const stolen = await getTokens(service, party, member.bearer, ask)
    expect(await isActive(stolen.access_token)).toBe(true)
    await readd(acme, member, ['owner'])
    const answer = await fetch(`${service.url}/oauth2/userinfo`, {
      headers: { authorization: `Bearer ${stolen.access_token}` },
    })
    expect(answer.status).toBe(401)
    expect(await isActive(stolen.access_token)).toBe(false)
    for (const named of [{}, { organization: String(acme.id) }])
      expect((await refresh(service, party, stolen.refresh_token, named)).body.error).toBe('invalid_grant')
    const fresh = await getTokens(service, party, member.bearer, ask)
    expect(await isActive(fresh.access_token)).toBe(true)
    await remove(acme, member)
  })

  it('has no ticket from before', async () => {
    const member = await addMember(service, admin, acme.id, ['member'])
    const create = () =>
      service.client('POST', '/api/2/auth/ticket', {
        bearer: member.bearer,
        body: { organization: String(acme.id) },
      })
    const check = (ticket: string) => service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })
    const before = await create()
    await readd(acme, member, ['member'])
    expect((await check(before.body.ticket)).status).toBe(404)
    expect((await check((await create()).body.ticket)).status).toBe(200)
  })

  it('has no links from before, and is not given one of them again', async () => {
    const member = await addSignedIn(service, { permissions: ['media:access'] })
    await add(acme, member, ['helper'])
    const shared = bundle()
    const share = () =>
      postLink(service, member.bearer, {
        organization: acme.id,
        is_easy_sharing: true,
        email: 'guest@example.com',
        bundles: [shared],
      })
    const before = await share()
    expect(before.status, before.text).toBe(201)
    const session = (await redeem(service, before.body.token)).body.session_key
    await readd(acme, member, ['helper'])
    expect((await lookUp(service, before.body.token)).status).toBe(404)
    expect((await redeem(service, before.body.token)).status).toBe(404)
    expect((await service.client('GET', '/api/2/users/me', { bearer: session })).status).toBe(401)
    const after = await share()
    expect([after.status, after.body.id === before.body.id]).toEqual([201, false])
    expect((await lookUp(service, after.body.token)).status).toBe(200)
    const shown = await service.client('GET', `${linksPath}/${before.body.id}`, { bearer: member.bearer })
    expect([shown.status, shown.body.is_usable ?? false]).toEqual([200, false])
  })

  it('has no open invitation or set-up link from before', async () => {
    const member = await addMember(service, admin, acme.id, ['helper'])
    const invited = await addSignedIn(service, { email: newPersonAddress() })
    const email = invited.user.email ?? ''
    const { id, token } = await inviteMember(service, acme, member, { email })
    expect((await call('PUT', 'organization-policy', { company_sign_in: 'always' })).status).toBe(200)
    const setUp = await callAs(service, member)('POST', `organizations/${acme.id}/sign-in`, { kind: 'saml' })
    expect(setUp.status, setUp.text).toBe(201)
    const setUpToken = new URL(setUp.body.setup_url).hash.replace(/^#(?:token=)?/, '')
    const openSetUp = () =>
      service.client('POST', '/api/2/auth/saml/setup/open', { body: { token: setUpToken } })
    await readd(acme, member, ['helper'])
    const offered = await findOffer(service, token)
    expect([offered.status, offered.body.reason]).toEqual([409, 'inviter_changed'])
    expect((await acceptShown(service, invited.bearer, token)).status).toBe(409)
    expect((await openSetUp()).status).not.toBe(200)
    // Sending it again is a new act of the member.
    expect((await callAs(service, member)('POST', `${acme.path}/${id}/resend`)).status).toBe(200)
  })

  it('finds the keys of the organization as they were, and the list says who left', async () => {
    const keeper = await addMember(service, admin, acme.id, ['keeper'])
    const created = await callAs(service, keeper)('POST', `organizations/${acme.id}/api-tokens`, {
      name: 'import',
      permissions: ['org:members:view'],
    })
    expect(created.body.creator_left).toBe(false)
    const byStaff = await call('POST', `organizations/${acme.id}/api-tokens`, {
      name: 'staff',
      permissions: ['org:members:view'],
    })
    const readLeft = async () => {
      const { body } = await callAs(service, acme.owner)('GET', `organizations/${acme.id}/api-tokens`)
      return [created, byStaff].map(
        (one) => body.find(({ id }: { id: number }) => id === one.body.id)?.creator_left,
      )
    }
    expect(await readLeft()).toEqual([false, false])
    await remove(acme, keeper)
    expect(await readLeft()).toEqual([true, false])
    await add(acme, keeper, ['keeper'])
    expect(await readLeft()).toEqual([true, false])
    const current = await service.client('GET', '/api/2/organizations/current', {
      bearer: created.body.token,
    })
    expect(current.status).toBe(200)
  })
})

describe('the company sign-in of an organization', () => {
  const connect = async (place: Place, domain: string, fields: object = {}) => {
    const connection = await addConnection(service, admin.bearer, upstream.issuer, {
      organization_id: place.id,
      auto_create_users: true,
      ...fields,
    })
    const path = `auth/connections/${connection.id}/domains`
    expect((await call('POST', path, { domain })).status).toBe(201)
    expect((await call('POST', `${path}/${domain}/vouch`)).status).toBe(200)
    return connection
  }
  const begin = async (fields: object = {}) => {
    const place = await addOrganization(service, admin)
    const domain = `${randomUUID()}.example`
    const connection = await connect(place, domain, fields)
    const email = `person-${randomUUID()}@${domain}`
    const signIn = async () => {
      const { answer } = await signInByUpstream(connection, upstream, { sub: email, email })
      return { status: answer.status, bearer: sessionOf(answer) ?? '', text: answer.text }
    }
    const first = await signIn()
    const { body: user } = await service.client('GET', '/api/2/users/me', { bearer: first.bearer })
    const person = { user: { id: user.id } } as SignedInPerson
    return { place, person, first, signIn, email }
  }
  const listed = async ({ id }: Place, person: SignedInPerson) => {
    const { body } = await call('GET', `organizations/${id}/members`)
    return body.find(({ user }: { user: { id: number } }) => user.id === person.user.id)
  }

  it('opened no session that counts after the user was removed and added again', async () => {
    const { place, person, first, signIn } = await begin()
    const read = (bearer: string) =>
      service.client('GET', '/api/2/users/me/organizations', { bearer }).then(({ body }) => body.length)
    expect(await read(first.bearer)).toBe(1)
    await readd(place, person, ['owner'])
    expect(await read(first.bearer)).toBe(0)
    const members = `/api/2/organizations/${place.id}/members`
    expect((await service.client('GET', members, { bearer: first.bearer })).status).toBe(404)
    const again = await signIn()
    expect(await read(again.bearer)).toBe(1)
    expect((await service.client('GET', members, { bearer: again.bearer })).status).toBe(200)
  })

  it('makes a removed person a member again, unless they are kept out', async () => {
    const { place, person, signIn } = await begin()
    expect(await listed(place, person)).toMatchObject({ returns_by_sign_in: true })
    await remove(place, person)
    expect((await signIn()).status).toBe(303)
    expect(await listed(place, person)).toMatchObject({ source: 'connection' })
    await remove(place, person, '?keep_out=true')
    const refused = await Promise.all(Array.from({ length: 10 }, () => signIn()))
    expect(refused.map(({ status }) => status)).toEqual(Array(10).fill(403))
    expect(await listed(place, person)).toBeUndefined()
    // Those who decide let them in again, and a later removal decides anew.
    await add(place, person, ['member'])
    expect((await signIn()).status).toBe(303)
    await remove(place, person)
    expect((await signIn()).status).toBe(303)
  })

  it('says that nobody returns where nobody joins by signing in', async () => {
    const place = await addOrganization(service, admin)
    expect((await listed(place, place.owner)).returns_by_sign_in).toBe(false)
    await connect(place, `${randomUUID()}.example`, { default_organization_roles: null })
    expect((await listed(place, place.owner)).returns_by_sign_in).toBe(false)
  })

  it('does not race with a removal that keeps a person out', async () => {
    for (let round = 0; round < 8; round++) {
      const { place, person, signIn } = await begin()
      await Promise.all([
        remove(place, person, '?keep_out=true'),
        ...Array.from({ length: 5 }, () => signIn()),
      ])
      expect(await listed(place, person)).toBeUndefined()
      expect((await countsOf(place)).members).toBe(1)
    }
  })

  it('stays closed to a kept-out account that is merged into another one', async () => {
    const { place, person, signIn } = await begin()
    await remove(place, person, '?keep_out=true')
    const kept = await addSignedIn(service)
    const merged = await call('POST', `users/${kept.user.id}/merge`, { user: person.user.id })
    expect(merged.status, merged.text).toBeLessThan(300)
    expect((await signIn()).status).toBe(403)
    expect(await listed(place, kept)).toBeUndefined()
  })
})

describe('counts that are wrong', () => {
  const spoil = async ({ id }: Place) =>
    table.update(organizationCountsKey(id), (x) => ({
      set: [`${x.path('members')} = ${x.value(9)}`, `${x.path('owners')} = ${x.value(0)}`],
    }))
  const recount = ({ id }: Place, by: SignedInPerson = admin) =>
    callAs(service, by)('POST', `organizations/${id}/recount`)

  it('are repaired for an administrator alone, while people join', async () => {
    const place = await addOrganization(service, admin)
    await spoil(place)
    expect((await recount(place, place.owner)).status).toBe(403)
    expect((await recount(place, await addSignedIn(service))).status).toBe(404)
    const answers = await Promise.all([recount(place), recount(place), recount(place)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await countsOf(place)).toEqual({ members: 1, isOwnerless: false })
    const { body } = await call(
      'GET',
      `auth/audit-events?organization=${place.id}&event=organization.recounted`,
    )
    expect(body.map(({ target }: { target: string }) => target)).toEqual([`${place.id} 9 0 1 1`])
    // Right counts stay as they are, also while they change.
    await Promise.all([recount(place), addMember(service, admin, place.id, ['owner']), recount(place)])
    expect(await countsOf(place)).toEqual({ members: 2, isOwnerless: false })
    const events = await call(
      'GET',
      `auth/audit-events?organization=${place.id}&event=organization.recounted`,
    )
    expect(events.body).toHaveLength(1)
  })

  it('are repaired by a job once a day', async () => {
    await service.deleteDueAccounts()
    const place = await addOrganization(service, admin)
    await spoil(place)
    await service.deleteDueAccounts()
    expect((await countsOf(place)).members).toBe(9)
    await table.update(organizationRecountKey, (x) => ({ set: [`${x.path('startedAt')} = ${x.value(0)}`] }))
    await Promise.all([service.deleteDueAccounts(), service.deleteDueAccounts()])
    expect(await countsOf(place)).toEqual({ members: 1, isOwnerless: false })
  })
})
