import { findSessionAndUser } from '../../lib/accounts/sessions/find-sessions.records.ts'
import { createSession } from '../../lib/accounts/sessions/write-sessions.records.ts'
import { findMembership } from '../../lib/features/organizations/memberships.records.ts'
import { mintCredential, parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { counterKey } from '../../lib/kernel/table/keys/keys.ts'
import { createRandom } from '../fuzz/random.ts'
import { addRelyingParty, type RelyingParty } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { askForTokens, issueMachineToken, issueToken } from './issue-token.ts'
import { createMarkers, firstIds } from './markers.ts'
import { sendExpecting } from './send.ts'
import {
  audience,
  type Client,
  declaredRoles,
  type Organization,
  type Person,
  roleKeys,
  type World,
} from './world.ts'

const organizationCount = 50
const peopleCount = 110
const tokenCount = 30

/** Creates organizations with members, keys, invitations and tokens, by what the service offers. */
export const buildWorld = async (service: TestService, seed: number): Promise<World> => {
  const random = createRandom(seed)
  const markers = createMarkers(random)
  const { table } = service.services
  // The first request creates the signing keys.
  await service.client('GET', '/.well-known/openid-configuration')
  for (const [kind, first] of Object.entries(firstIds))
    await table.nextIds(counterKey(kind as keyof typeof firstIds), first)
  const staff = await addSignedIn(service, { permissions: ['system:admin-access'] })
  markers.note(staff.user.id, 'staff')
  const body = { roles: declaredRoles }
  await sendExpecting(200, { method: 'PUT', path: '/api/2/organization-roles', bearer: staff.bearer, body })
  const policy = { creation: 'everybody', creations_max: 100 }
  const policyPath = '/api/2/organization-policy'
  await sendExpecting(200, { method: 'PUT', path: policyPath, bearer: staff.bearer, body: policy })
  const texts = { en: 'Films' }
  const api = await sendExpecting(201, {
    method: 'POST',
    path: '/api/2/protected-apis',
    bearer: staff.bearer,
    body: { name: 'Films', audience, permissions: [{ name: 'films:edit', texts }], scopes: [] },
  })
  const party = await addRelyingParty(service, {
    scopes: ['openid', 'profile', 'email', 'permissions', 'organization', 'offline_access'],
    permissions: ['films:edit'],
    apis: [{ id: api.id, audience, scopes: [] }],
  })
  const addMachine = async (machine_organizations: boolean): Promise<Client> =>
    toClient(
      await addRelyingParty(service, {
        redirect_uris: [],
        apis: [{ id: api.id, audience, scopes: [] }],
        machine_permissions: ['films:edit'],
        machine_organizations,
      }),
    )
  const world: World = {
    random,
    markers,
    people: [],
    organizations: [],
    tokens: [],
    machineTokens: [],
    cursors: [],
    deadKeys: [],
    deadInvitations: [],
    staff: { id: staff.user.id, bearer: staff.bearer },
    client: toClient(party),
    machine: await addMachine(true),
    plainMachine: await addMachine(false),
  }
  // The first use of a client is written down. Uses after it make the same calls.
  for (const client of [world.machine, world.plainMachine])
    await sendExpecting(200, askForTokens(client, { grant_type: 'client_credentials' }))
  for (let at = 0; at < peopleCount; at++) world.people.push(await addPerson(service, world))
  for (let at = 0; at < organizationCount; at++) await addOrganization(world)
  for (const organization of world.organizations)
    for (const [person] of organization.roles)
      if (random.chance(0.15)) await addOrganizationSession(service, organization, person)
  for (let at = 0; at < tokenCount; at++) {
    const organization = random.pick(world.organizations as [Organization, ...Organization[]])
    const [person] = random.pick([...organization.roles] as [[Person, unknown], ...[Person, unknown][]])
    world.tokens.push(await issueToken(world, organization, person, at % 2 === 0))
    if (at % 3 === 0) world.machineTokens.push(await issueMachineToken(world, organization))
  }
  return world
}

const toClient = ({ client, secret }: RelyingParty): Client => ({
  id: client.clientId,
  secret,
  redirectUri: client.redirect_uris[0] ?? '',
})

const addPerson = async (service: TestService, { markers }: World): Promise<Person> => {
  const names = [markers.draw(), markers.draw(), markers.draw()] as const
  const email = `${names[2]}@people.example`
  const fields = {
    ...{ username: names[0], full_name: `Person ${names[1]}`, email },
    permissions: ['media:access'],
  }
  const { user, bearer } = await addSignedIn(service, fields)
  for (const name of [...names, user.id]) markers.note(name, `user ${user.id}`)
  const body = { name: 'storm' }
  const { token } = await sendExpecting(201, { method: 'POST', path: '/api/2/api-tokens', bearer, body })
  // Its first use is written down. Uses after it make the same calls.
  await sendExpecting(200, { method: 'GET', path: '/api/2/users/me', bearer: token })
  return { id: user.id, email, bearer, apiToken: token }
}

/** Creates an organization by its first owner, or by the staff, with members in some roles. */
export const addOrganization = async (world: World, owner?: Person): Promise<Organization> => {
  const { random, markers, staff, people } = world
  const [name, slug, externalId] = [markers.draw(), markers.draw(), markers.draw()]
  const body = { name: `Company ${name}`, slug }
  const created = await sendExpecting(201, {
    method: 'POST',
    ...(owner
      ? { path: '/api/2/users/me/organizations', bearer: owner.bearer, body }
      : { path: '/api/2/organizations', bearer: staff.bearer, body: { ...body, external_id: externalId } }),
  })
  const organization: Organization = {
    id: created.id,
    slug,
    formerSlugs: [],
    isActive: true,
    isDeleted: false,
    roles: new Map(),
    known: new Set(),
    keys: new Map(),
    invitations: new Map(),
    links: new Set(),
    sessions: new Map(),
    endedSessions: [],
  }
  for (const marker of [name, slug, externalId, created.id])
    markers.note(marker, `organization ${created.id}`)
  world.organizations.push(organization)
  if (owner) {
    organization.roles.set(owner, ['owner'])
    organization.known.add(owner.id)
    return organization
  }
  const members = new Set(Array.from({ length: 6 }, () => random.pick(people as [Person, ...Person[]])))
  for (const [at, person] of [...members].entries()) {
    const roles = [roleKeys[at] ?? 'member']
    await sendExpecting(201, {
      method: 'POST',
      path: `/api/2/organizations/${created.id}/members`,
      bearer: staff.bearer,
      body: { user: person.id, roles },
    })
    organization.roles.set(person, roles)
    organization.known.add(person.id)
  }
  return organization
}

/** Opens a session of a person as the sign-in of the organization does, which proves nothing elsewhere. */
const addOrganizationSession = async (
  { services: { table } }: TestService,
  organization: Organization,
  person: Person,
): Promise<void> => {
  const { hash: ownHash = '' } = parseCredential(person.bearer) ?? {}
  const { session } = await findSessionAndUser(table, person.id, ownHash)
  if (!session) throw new Error('the session of a person was not found')
  const { value, hash } = mintCredential('session', person.id)
  const membership = await findMembership(table, { userId: person.id, organizationId: organization.id })
  if (!membership) throw new Error('the person is no member')
  const { joining } = membership
  const proof = { ...session.authentication, organization: organization.id, joining, connection: 1 }
  const limited = { limitedTo: 'organizations', organizationProofs: [proof] } as const
  await createSession(table, {
    ...session,
    ...limited,
    hash,
    id: session.id + organization.sessions.size + 1,
  })
  organization.sessions.set(person, value)
}
