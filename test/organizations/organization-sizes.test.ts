import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { beginMembership, buildJoinSteps } from '../../lib/features/organizations/memberships.records.ts'
import { newOrganization } from '../../lib/features/organizations/models.ts'
import { createOrganization, type OrganizationRecord } from '../../lib/features/organizations/records.ts'
import { organizationCountsKey } from '../../lib/kernel/table/keys/organization-keys.ts'
import { mapInBatches } from '../../lib/kernel/util/work.ts'
import { costsSince, seedUsers } from '../support/directory.ts'
import { addRelyingParty, getTokens, proveClient, refresh } from '../support/oidc.ts'
import { addPerson, addSignedIn, callAs, type SignedInPerson, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* What people do costs the same table calls in an organization of 20 and of 2,000 members, and with 1 and 200 organizations. */

const service = await useService()
const { table } = service.services
const party = await addRelyingParty(service, {
  scopes: ['openid', 'profile', 'permissions', 'organization', 'offline_access'],
})
const [firstSeededId, fewMembers, manyMembers, manyOrganizations] = [1_000_000, 20, 2000, 200]
await seedUsers(service, manyMembers, firstSeededId)

const create = (): Promise<OrganizationRecord> => {
  const slug = `o${randomUUID().slice(0, 13).replaceAll(/[01-]/g, '2')}x`
  return createOrganization(
    table,
    { ...newOrganization, name: 'Acme', slug, createdBy: null, createdAt: 1 },
    () => [],
  )
}
/** The item of a membership alone. The counts follow in one write. */
const buildItem = (organization: OrganizationRecord, userId: number, roles: readonly string[]) => {
  const membership = {
    userId,
    organizationId: organization.id,
    roles,
    source: 'import',
    joinedAt: 1,
  } as const
  return buildJoinSteps(organization, beginMembership({ ...membership, rolesGivenBy: null })).slice(0, 1)
}
const fill = async (organization: OrganizationRecord, count: number) => {
  const perCall = 50
  const starts = Array.from({ length: Math.ceil(count / perCall) }, (_, at) => at * perCall)
  await mapInBatches(starts, 3, (from) =>
    table.transact(
      Array.from({ length: Math.min(perCall, count - from) }, (_, at) =>
        buildItem(organization, firstSeededId + from + at, ['member']),
      ).flat(),
    ),
  )
  const amounts = { members: count, owners: 0 }
  await table.transact([{ addTo: organizationCountsKey(organization.id), amounts }])
}
const join = async (organization: OrganizationRecord, { user }: Pick<SignedInPerson, 'user'>) => {
  const membership = {
    userId: user.id,
    organizationId: organization.id,
    joinedAt: 1,
    rolesGivenBy: null,
  } as const
  await table.transact([
    ...buildJoinSteps(organization, beginMembership({ ...membership, roles: ['owner'], source: 'import' })),
  ])
}
const addToMany = async (person: Pick<SignedInPerson, 'user'>, count: number) => {
  const organizations: OrganizationRecord[] = []
  for (let at = 0; at < count; at++) organizations.push(await create())
  for (const organization of organizations) await join(organization, person)
  return organizations
}

/** The table calls of each request that some work sends. */
const callsOf = async (work: () => Promise<unknown>): Promise<readonly number[]> => {
  const start = service.log.length
  await work()
  return costsSince(service, start).map(({ calls }) => calls)
}
const expectStatus = async (
  answer: Promise<{ readonly status: number; readonly text: string }>,
  status = 200,
) => {
  const { status: received, text } = await answer
  expect([received, received === status ? '' : text]).toEqual([status, ''])
}

/** What an owner and their products do in an organization. Each is tried once before, because first uses are written down. */
const useOrganization = async (organization: OrganizationRecord, person: SignedInPerson) => {
  const call = callAs(service, person)
  const path = `organizations/${organization.id}`
  const body = { name: 'key', permissions: ['org:members:view'] }
  const key: string = (await call('POST', `${path}/api-tokens`, body)).body.token
  const byKey = callAs(service, { bearer: key })
  const scope = 'openid permissions organization offline_access'
  const getToken = () => getTokens(service, party, person.bearer, { scope, organization: organization.slug })
  const tokens = await getToken()
  expect(decodeJwt(tokens.id_token)['org_id']).toBe(String(organization.id))
  const introspect = () =>
    fetch(`${service.url}/oauth2/introspect`, {
      method: 'POST',
      body: new URLSearchParams({ token: tokens.access_token, ...proveClient(party) }),
    })
  await byKey('GET', 'organizations/current')
  await introspect()
  return {
    check: await callsOf(() => expectStatus(call('GET', path))),
    'first page of members': await callsOf(() => expectStatus(call('GET', `${path}/members?limit=10`))),
    'last members': await callsOf(() => expectStatus(call('GET', `${path}/members?limit=10&ordering=-id`))),
    'member by address': await callsOf(() => expectStatus(call('GET', `${path}/members?email=a@b.example`))),
    'change of a role': await callsOf(() =>
      expectStatus(call('PATCH', `${path}/members/${firstSeededId + 3}`, { roles: ['admin'] })),
    ),
    'end of a membership': await callsOf(() =>
      expectStatus(call('DELETE', `${path}/members/${firstSeededId + 3}`), 204),
    ),
    key: await callsOf(() => expectStatus(byKey('GET', 'organizations/current'))),
    'members by key': await callsOf(() => expectStatus(byKey('GET', `${path}/members?limit=10`))),
    token: await callsOf(getToken),
    refresh: await callsOf(() => refresh(service, party, tokens.refresh_token)),
    introspection: await callsOf(introspect),
  }
}

it('an organization of 2,000 members costs the same table calls as one of 20', async () => {
  const [small, large] = [await create(), await create()]
  await fill(small, fewMembers)
  await fill(large, manyMembers)
  const [one, other] = [await addSignedIn(service), await addSignedIn(service)]
  await join(small, one)
  await join(large, other)
  const costs = await useOrganization(large, other)
  expect(costs).toEqual(await useOrganization(small, one))
  // Whether somebody is in an organization is read together with it and the roles.
  expect(costs.key).toEqual([1])
})

it('a person of 200 organizations costs the same table calls as one of a single one, and as one without', async () => {
  const [none, one, many] = [
    await addSignedIn(service),
    await addSignedIn(service),
    await addSignedIn(service),
  ]
  const [single] = await addToMany(one, 1)
  const [first] = await addToMany(many, manyOrganizations)
  if (!single || !first) throw new Error('no organization was created')
  await fill(single, fewMembers)
  await fill(first, fewMembers)
  const use = async (person: SignedInPerson) => {
    const call = callAs(service, person)
    const openList = () => call('GET', 'users/me/organizations?limit=20')
    const tokens = () =>
      getTokens(service, party, person.bearer, { scope: 'openid permissions offline_access' })
    await call('GET', 'users/me')
    await tokens()
    return {
      'who am I': await callsOf(() => call('GET', 'users/me')),
      'sign-in': await callsOf(() => signIn(service, person)),
      'token without an organization': await callsOf(tokens),
      // Without a membership, no organization is read.
      ...(person === none ? {} : { 'own organizations': await callsOf(openList) }),
    }
  }
  const { 'own organizations': list, ...others } = await use(many)
  expect(await use(one)).toEqual({ 'own organizations': list, ...others })
  expect(await use(none)).toEqual(others)
  expect(await useOrganization(first, many)).toEqual(await useOrganization(single, one))
})

it('a stranger costs as much in a large organization as in one that does not exist', async () => {
  const large = await create()
  await fill(large, fewMembers)
  const stranger = await addPerson(service)
  const call = callAs(service, { bearer: await signIn(service, stranger) })
  const costs = []
  for (const id of [large.id, 2_147_483_647])
    costs.push(await callsOf(() => expectStatus(call('GET', `organizations/${id}/members`), 404)))
  expect(costs[0]).toEqual(costs[1])
})
