import type { OrganizationPermission } from '../../lib/kernel/contract/organization-permissions.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { createPkce } from '../support/oidc.ts'
import { askForTokens, authorizePath } from './issue-token.ts'
import { type Subject, unknownIds } from './markers.ts'
import type { Sent } from './send.ts'
import {
  hasPermission,
  isUsable,
  type Key,
  living,
  type Organization,
  organizationsOf,
  type Person,
  seeOrganization,
  type World,
} from './world.ts'

/** A request that changes nothing, and what the model says about its answer. */
export interface Attempt {
  readonly name: string
  readonly sent: Sent
  readonly statuses: readonly number[]
  /** Whether the answer may contain something about a subject. What the request names may always be there. */
  readonly sees: (subject: Subject, marker: string) => boolean
  /** A request about something that does not exist, whose answer must be the same. */
  readonly twin?: Twin | undefined
  /** Whether the token of the request is tried at an authorizer instead. */
  readonly isForAuthorizer?: true
  /** What the answer must contain, or must not. */
  readonly contains?: string
  readonly lacks?: string
  /** The IDs in a list that the caller may see and that is not cut. */
  readonly lists?: readonly number[]
}

interface Twin {
  readonly sent: Sent
  /** Whether the table calls are the same as well. */
  readonly sameCalls: boolean
}

const nothing = () => false
const path = '/api/2/organizations'

/** Who sends a request. */
type Caller =
  | { readonly kind: 'session' | 'api_token'; readonly person: Person; readonly bearer: string }
  | {
      readonly kind: 'organization_session'
      readonly person: Person
      readonly bearer: string
      readonly of: Organization
    }
  | { readonly kind: 'key'; readonly of: Organization; readonly key: Key; readonly bearer: string }
  | { readonly kind: 'nobody'; readonly bearer: undefined }

const pickOf = <Value>({ random }: World, values: readonly Value[]): Value => {
  const [first, ...rest] = values
  if (first === undefined) throw new Error('there is nothing to choose from')
  return random.pick([first, ...rest])
}

const pickCaller = (world: World): Caller => {
  const { random } = world
  const at = random.below(20)
  const person = pickOf(world, world.people)
  if (at < 9) return { kind: 'session', person, bearer: person.bearer }
  if (at < 12) return { kind: 'api_token', person, bearer: person.apiToken }
  if (at < 15) {
    const of = pickOf(world, world.organizations)
    const [found] = of.sessions
    return found
      ? { kind: 'organization_session', person: found[0], bearer: found[1], of }
      : { kind: 'session', person, bearer: person.bearer }
  }
  if (at < 19) {
    const of = pickOf(world, world.organizations)
    if (of.keys.size > 0 && of.isActive && !of.isDeleted) {
      const key = pickOf(world, [...of.keys.values()])
      return { kind: 'key', of, key, bearer: key.value }
    }
  }
  return random.chance(0.2)
    ? { kind: 'nobody', bearer: undefined }
    : { kind: 'session', person, bearer: person.bearer }
}

/** Values in the place of an ID that are the ID of no organization. */
const noIds = ['__proto__', 'constructor', '0', '-1', '1e9', '%30', 'x', '4294967297', '%00'] as const

interface Target {
  readonly text: string
  /** Undefined if there is no such organization. */
  readonly organization: Organization | undefined
  readonly isMalformed?: true
}

const pickTarget = (world: World, caller: Caller): Target => {
  const { random } = world
  const at = random.below(20)
  const own = caller.kind === 'key' || caller.kind === 'organization_session' ? [caller.of] : []
  const joined = 'person' in caller ? organizationsOf(world, caller.person) : []
  const mine = [...own, ...joined]
  const foreign = pickOf(world, world.organizations)
  if (at < 7 && mine.length > 0) {
    const organization = pickOf(world, mine)
    return { text: String(organization.id), organization }
  }
  if (at < 15) return { text: String(foreign.id), organization: foreign }
  if (at < 16) return { text: String(unknownIds.organization), organization: undefined }
  if (at < 17) return { text: `0${foreign.id}`, organization: undefined, isMalformed: true }
  const text = at < 18 ? pickOf(world, [foreign.slug, ...foreign.formerSlugs]) : pickOf(world, noIds)
  return { text, organization: undefined, isMalformed: true }
}

interface Operation {
  readonly name: string
  readonly method: string
  readonly path: (world: World, target: Organization | undefined) => string
  readonly needs: OrganizationPermission | 'membership' | 'none'
  /** Which callers besides sessions. */
  readonly by: readonly ('api_token' | 'key')[]
  readonly body?: (world: World) => unknown
  readonly showsPeople?: 'members' | 'invited'
}

const anyPerson = (world: World): Person => pickOf(world, world.people)
/** Of the organization itself mostly, and of others. */
const idOf = (
  world: World,
  own: Pick<ReadonlyMap<number, unknown>, 'keys'> | undefined,
  unknown: number,
  all: 'keys' | 'invitations' | 'links',
) => {
  const { random } = world
  const others = [...pickOf(world, world.organizations)[all].keys()]
  const ids = random.chance(0.5) ? [...(own?.keys() ?? [])] : others
  return ids.length === 0 ? unknown : pickOf(world, ids)
}
const both = ['api_token', 'key'] as const
const pageQueries = ['', '?limit=1', '?limit=2&ordering=-id', '?ordering=-id'] as const
/** Events have no order by ID. */
const eventQueries = [
  '',
  '?limit=5',
  '?ordering=created_at&limit=5',
  '?event=organization.member_added',
] as const
const listQuery = (world: World, queries: readonly string[] = pageQueries): string =>
  world.cursors.length > 0 && world.random.chance(0.5) ? pickOf(world, world.cursors) : pickOf(world, queries)
const memberQuery = (world: World): string =>
  pickOf(world, [
    '?role=owner',
    '?role=__proto__',
    `?email=${encodeURIComponent(anyPerson(world).email)}`,
    `?filter=${encodeURIComponent(anyPerson(world).email)}`,
    '?filter=person',
    '?filter=mkb&limit=2',
    listQuery(world),
    listQuery(world),
  ])

/** What only reads. Each is tried in every organization. */
const readings: readonly Operation[] = [
  { name: 'get', method: 'GET', path: () => '', needs: 'membership', by: both },
  {
    name: 'members',
    method: 'GET',
    path: (world) => `/members${memberQuery(world)}`,
    needs: 'org:members:view',
    by: both,
    showsPeople: 'members',
  },
  { name: 'branding', method: 'GET', path: () => '/branding', needs: 'org:settings:manage', by: both },
  {
    name: 'events',
    method: 'GET',
    path: (world) => `/events${listQuery(world, eventQueries)}`,
    needs: 'org:events:view',
    by: both,
    showsPeople: 'members',
  },
  {
    name: 'invitations',
    method: 'GET',
    path: (world) => `/invitations${listQuery(world)}`,
    needs: 'org:members:manage',
    by: ['api_token'],
    showsPeople: 'invited',
  },
  {
    name: 'keys',
    method: 'GET',
    path: (world) => `/api-tokens${listQuery(world)}`,
    needs: 'org:keys:manage',
    by: [],
    showsPeople: 'members',
  },
  {
    name: 'links',
    method: 'GET',
    path: (world) => `/links${listQuery(world)}`,
    needs: 'org:links:manage',
    by: both,
    showsPeople: 'members',
  },
]

/** What would change something. These are tried where the model refuses them. */
const writings: readonly Operation[] = [
  {
    name: 'patch',
    method: 'PATCH',
    path: () => '',
    needs: 'org:settings:manage',
    by: both,
    body: ({ random }) => (random.chance(0.5) ? { name: 'Taken over' } : { slug: 'taken-over' }),
  },
  {
    name: 'brand',
    method: 'PUT',
    path: () => '/branding',
    needs: 'org:settings:manage',
    by: both,
    body: () => ({ name: 'Taken over', accent_color: '#000000' }),
  },
  {
    name: 'reset branding',
    method: 'DELETE',
    path: () => '/branding',
    needs: 'org:settings:manage',
    by: both,
  },
  { name: 'delete', method: 'DELETE', path: () => '', needs: 'none', by: ['api_token'] },
  {
    name: 'add member',
    method: 'POST',
    path: () => '/members',
    needs: 'none',
    by: ['api_token'],
    body: (world) => ({ user: anyPerson(world).id, roles: ['owner'] }),
  },
  {
    name: 'patch member',
    method: 'PATCH',
    path: (world) => `/members/${anyPerson(world).id}`,
    needs: 'org:members:manage',
    by: both,
    body: () => ({ roles: ['owner'] }),
  },
  {
    name: 'remove member',
    method: 'DELETE',
    path: (world) => `/members/${anyPerson(world).id}`,
    needs: 'org:members:manage',
    by: both,
  },
  {
    name: 'invite',
    method: 'POST',
    path: () => '/invitations',
    needs: 'org:members:manage',
    by: ['api_token'],
    body: (world) => ({ email: anyPerson(world).email, roles: ['member'] }),
  },
  {
    name: 'resend',
    method: 'POST',
    path: (world, own) =>
      `/invitations/${idOf(world, own?.invitations, unknownIds.invitation, 'invitations')}/resend`,
    needs: 'org:members:manage',
    by: ['api_token'],
  },
  {
    name: 'revoke',
    method: 'DELETE',
    path: (world, own) =>
      `/invitations/${idOf(world, own?.invitations, unknownIds.invitation, 'invitations')}`,
    needs: 'org:members:manage',
    by: ['api_token'],
  },
  {
    name: 'end',
    method: 'POST',
    path: () => '/ending',
    needs: 'org:ending:manage',
    by: [],
    body: () => ({}),
  },
  { name: 'keep', method: 'DELETE', path: () => '/ending', needs: 'org:ending:manage', by: [] },
  {
    name: 'create key',
    method: 'POST',
    path: () => '/api-tokens',
    needs: 'org:keys:manage',
    by: [],
    body: () => ({ name: 'taken', permissions: ['org:members:view'] }),
  },
  {
    name: 'delete key',
    method: 'DELETE',
    path: (world, own) => `/api-tokens/${idOf(world, own?.keys, unknownIds.token, 'keys')}`,
    needs: 'org:keys:manage',
    by: [],
  },
  {
    name: 'delete link',
    method: 'DELETE',
    path: (world, own) => `/links/${idOf(world, own?.links, unknownIds.link, 'links')}`,
    needs: 'org:links:manage',
    by: both,
  },
]

/** What the service answers to a caller, by the rules for the organization of the path. */
const decide = (
  { needs, by }: Operation,
  caller: Caller,
  { organization }: Target,
): 200 | 401 | 403 | 404 => {
  if (caller.kind === 'nobody') return 401
  if (caller.kind === 'key') {
    if (!by.includes('key')) return 401
    if (organization !== caller.of) return 404
    return needs === 'membership' || caller.key.permissions.includes(needs) ? 200 : 403
  }
  if (caller.kind === 'api_token' && !by.includes('api_token')) return 403
  const counts = caller.kind !== 'organization_session' || caller.of === organization
  if (!organization || organization.isDeleted || !counts || !organization.roles.has(caller.person)) return 404
  return needs !== 'none' && hasPermission(organization, caller.person, needs) ? 200 : 403
}

const isCut = (address: string): boolean => /limit|cursor|role|email|filter/.test(address)

/** A position in a list of somebody else is refused. */
const listStatuses = (status: number, address: string): readonly number[] =>
  status === 200 && address.includes('cursor=') ? [200, 400] : [status]

const replaceId = (sent: Sent, from: string, to: number): Sent => ({
  ...sent,
  path: sent.path.replace(`/${from}`, `/${to}`),
})

/** A request about an organization in the path. */
const tryOperation = (world: World): Attempt | undefined => {
  const caller = pickCaller(world)
  const target = pickTarget(world, caller)
  const isReading = world.random.chance(0.5)
  const operation = pickOf(world, isReading ? readings : writings)
  const status = decide(operation, caller, target)
  if (!isReading && status === 200) return undefined
  const { text, organization, isMalformed } = target
  const sent = {
    method: operation.method,
    path: `${path}/${text}${operation.path(world, organization)}`,
    bearer: caller.bearer,
    ...(operation.body ? { body: operation.body(world) } : {}),
  }
  return {
    name: `${operation.name} by ${caller.kind}`,
    sent,
    statuses: isMalformed && status === 404 ? [404, 400] : listStatuses(status, sent.path),
    sees:
      organization && status === 200 ? seeOrganization(world, organization, operation.showsPeople) : nothing,
    twin:
      status === 404 && organization
        ? { sent: replaceId(sent, text, unknownIds.organization), sameCalls: true }
        : undefined,
    ...(operation.name === 'links' &&
      organization &&
      status === 200 &&
      !isCut(sent.path) && { lists: [...organization.links] }),
    ...(organization &&
      status === 200 &&
      operation.showsPeople === 'members' &&
      sent.path.includes('/members') &&
      !isCut(sent.path) && { lists: [...organization.roles.keys()].map(({ id }) => id) }),
  }
}

/** Something of another organization, by the path of one where the caller may do the same. */
const tryForeignPart = (world: World): Attempt | undefined => {
  const { random } = world
  const organization = pickOf(world, living(world))
  const foreign = pickOf(world, living(world))
  if (foreign === organization) return undefined
  const [owner] = [...organization.roles].find(([, roles]) => roles.includes('owner')) ?? []
  if (!owner) return undefined
  const own = `${path}/${organization.id}`
  const build = (
    name: string,
    method: string,
    id: number | undefined,
    unknown: number,
    suffix: string,
    more = '',
    body?: unknown,
  ) => {
    if (id === undefined) return undefined
    const sentFor = (one: number): Sent => ({
      method,
      path: `${own}/${suffix}/${one}${more}`,
      bearer: owner.bearer,
      ...(body === undefined ? {} : { body }),
    })
    return {
      name,
      sent: sentFor(id),
      statuses: [404],
      sees: nothing,
      twin: { sent: sentFor(unknown), sameCalls: true },
    }
  }
  const [stranger] = [...foreign.roles.keys()].filter((person) => !organization.roles.has(person))
  const [key] = foreign.keys.keys()
  const [invitation] = foreign.invitations.keys()
  const [link] = foreign.links
  switch (random.below(6)) {
    case 4:
      return build('delete link of others', 'DELETE', link, unknownIds.link, 'links')
    case 0:
      return build('delete key of others', 'DELETE', key, unknownIds.token, 'api-tokens')
    case 1:
      return build('revoke of others', 'DELETE', invitation, unknownIds.invitation, 'invitations')
    case 2:
      return build('resend of others', 'POST', invitation, unknownIds.invitation, 'invitations', '/resend')
    case 3:
      return build('remove a stranger', 'DELETE', stranger?.id, unknownIds.user, 'members')
    default:
      return build('change a stranger', 'PATCH', stranger?.id, unknownIds.user, 'members', '', {
        roles: ['owner'],
      })
  }
}

/** What people read and end about themselves. */
const tryOwn = (world: World): Attempt => {
  const { random } = world
  const person = anyPerson(world)
  const foreign = pickOf(world, world.organizations)
  const own = organizationsOf(world, person)
  const seesOwn = (subject: Subject) =>
    subject === `user ${person.id}` || own.some(({ id }) => subject === `organization ${id}`)
  const get = (address: string) => ({
    method: 'GET',
    path: `/api/2/${address}`,
    bearer: random.chance(0.3) ? person.apiToken : person.bearer,
  })
  const list = (name: string, what: string, sees: Attempt['sees']): Attempt => {
    const sent = get(`users/me/${what}${listQuery(world)}`)
    const isWhole = what === 'organizations' && !isCut(sent.path)
    return {
      name,
      sent,
      statuses: listStatuses(200, sent.path),
      sees,
      ...(isWhole && { lists: own.map(({ id }) => id) }),
    }
  }
  switch (random.below(12)) {
    case 0:
    case 1:
    case 8:
    case 9:
    case 10:
      return list('own organizations', 'organizations', seesOwn)
    case 2: {
      const ended = foreign.endedSessions.at(-1)
      if (ended !== undefined && random.chance(0.5))
        return {
          name: 'own organizations by a sign-in from before a removal',
          sent: { ...get('users/me/organizations'), bearer: ended },
          statuses: [200],
          sees: () => false,
        }
      const [found] = foreign.sessions
      if (!found) return { name: 'me', sent: get('users/me'), statuses: [200], sees: seesOwn }
      const isMember = !foreign.isDeleted && foreign.roles.has(found[0])
      return {
        name: 'own organizations by the sign-in of one',
        sent: { ...get('users/me/organizations'), bearer: found[1] },
        statuses: [200],
        sees: (subject) => isMember && subject === `organization ${foreign.id}`,
      }
    }
    case 3: {
      const invited = living(world).filter(({ invitations }) =>
        [...invitations.values()].some(({ email }) => email === person.email),
      )
      return list(
        'own invitations',
        'organization-invitations',
        (subject, marker) =>
          subject === `user ${person.id}` ||
          invited.some(
            ({ id, isActive, invitations }) =>
              isActive &&
              (subject === `organization ${id}` ||
                (!/^\d+$/.test(marker) &&
                  [...invitations.values()].some(
                    ({ email, invitedBy }) => email === person.email && subject === `user ${invitedBy.id}`,
                  ))),
          ),
      )
    }
    case 4: {
      const isMember = !foreign.isDeleted && foreign.roles.has(person)
      const leave = (id: number) => ({
        method: 'DELETE',
        path: `/api/2/users/me/organizations/${id}`,
        bearer: person.bearer,
      })
      return isMember
        ? {
            name: 'me',
            sent: { ...get('users/me'), headers: { 'latchkey-organization': String(foreign.id) } },
            // A suspended organization looks as if it did not exist.
            statuses: [foreign.isActive ? 200 : 403],
            sees: foreign.isActive ? seesOwn : nothing,
          }
        : {
            name: 'leave an organization of others',
            sent: leave(foreign.id),
            statuses: [404],
            sees: nothing,
            twin: { sent: leave(unknownIds.organization), sameCalls: true },
          }
    }
    case 5: {
      const [invitation] = [...foreign.invitations.values()].filter(({ email }) => email !== person.email)
      const decline = (id: number) => ({
        method: 'DELETE',
        path: `/api/2/users/me/organization-invitations/${id}`,
        bearer: person.bearer,
      })
      return {
        name: 'decline an invitation of others',
        sent: decline(invitation?.id ?? unknownIds.invitation),
        statuses: [404],
        sees: nothing,
        twin: { sent: decline(unknownIds.invitation), sameCalls: true },
      }
    }
    case 6: {
      const other = anyPerson(world)
      const address = pickOf(world, [
        `users/${other.id}/organizations`,
        `users/${other.id}`,
        'organizations',
        `organizations?slug=${foreign.slug}`,
        `organizations?filter=${foreign.slug.slice(0, 6)}`,
        `auth/audit-events?organization=${foreign.id}`,
        'users?limit=5',
      ])
      return { name: 'what the service keeps for itself', sent: get(address), statuses: [403], sees: nothing }
    }
    case 7:
      return tryCreation(world, person)
    default:
      return random.chance(0.97)
        ? list('own organizations', 'organizations', seesOwn)
        : {
            // It examines many events, so it is rare.
            name: 'events of an organization by the staff',
            sent: {
              ...get(`auth/audit-events?organization=${foreign.id}&limit=5`),
              bearer: world.staff.bearer,
            },
            statuses: [200],
            // The events of an organization name its members and those who were invited, and no other organization.
            sees: (subject) =>
              !subject.startsWith('organization') || subject === `organization ${foreign.id}`,
          }
  }
}

/** The creation of an organization with a slug that another one has or had, and by what is no session of the whole service. */
const tryCreation = (world: World, person: Person): Attempt => {
  const { random } = world
  const slugs = world.organizations.flatMap(({ slug, formerSlugs }) => [slug, ...formerSlugs])
  const key = pickOf(world, world.organizations).keys.values().next().value
  const [limited] = pickOf(world, world.organizations).sessions.values()
  const [status, bearer] = pickOf<readonly [number, string | undefined]>(world, [
    [409, person.bearer],
    [409, person.bearer],
    [403, person.apiToken],
    [403, limited ?? person.apiToken],
    [401, key?.value],
  ])
  const sentFor = (slug: string): Sent => ({
    method: 'POST',
    path: '/api/2/users/me/organizations',
    bearer,
    body: { name: 'Taken over', slug },
  })
  const isFree = status !== 409 && random.chance(0.5)
  return {
    name: 'create an organization',
    sent: sentFor(pickOf(world, slugs)),
    statuses: [status],
    sees: nothing,
    // It does not show who has the slug, nor whether it is a former one.
    twin: {
      sent: sentFor(isFree ? 'free-to-take' : pickOf(world, slugs)),
      // IDs are reserved together, by a call of its own.
      sameCalls: status !== 409,
    },
  }
}

/** What servers of products ask about tokens and keys. */
const tryToken = (world: World): Attempt => {
  const { random, client } = world
  const isKey = random.chance(0.4)
  const introspect = (value: string): Sent => ({
    method: 'POST',
    path: '/oauth2/introspect',
    form: { token: value, client_id: client.id, client_secret: client.secret },
  })
  if (isKey) {
    const organization = pickOf(world, world.organizations)
    const dead = random.chance(0.3) && world.deadKeys.length > 0 ? pickOf(world, world.deadKeys) : undefined
    const [key] = [...organization.keys.values()]
    const owner = dead?.organization ?? organization
    const value = dead?.value ?? key?.value ?? mintCredential('organization_token', organization.id).value
    const isAlive = !dead && key !== undefined && owner.isActive && !owner.isDeleted
    const unknown = mintCredential('organization_token', owner.id).value
    const sees = isAlive ? seeOrganization(world, owner) : nothing
    const sent: Sent = { method: 'GET', path: `${path}/current`, bearer: value }
    switch (random.below(3)) {
      case 0:
        return {
          name: 'introspect a key',
          sent: introspect(value),
          statuses: [200],
          sees,
          contains: `"active":${isAlive}`,
          twin: isAlive ? undefined : { sent: introspect(unknown), sameCalls: true },
        }
      case 1:
        return {
          name: 'authorize a key',
          sent,
          isForAuthorizer: true,
          statuses: [isAlive ? 200 : 403],
          sees,
          twin: isAlive ? undefined : { sent: { ...sent, bearer: unknown }, sameCalls: true },
        }
      default:
        return {
          name: 'current organization',
          sent,
          statuses: [isAlive ? 200 : 401],
          sees,
          twin: isAlive ? undefined : { sent: { ...sent, bearer: unknown }, sameCalls: true },
        }
    }
  }
  if (random.chance(0.2)) {
    const { value, organization } = pickOf(world, world.machineTokens)
    const isAlive = organization.isActive && !organization.isDeleted
    const sees = isAlive ? seeOrganization(world, organization) : nothing
    return random.chance(0.5)
      ? {
          name: 'authorize a client in an organization',
          sent: { method: 'GET', path: '/', bearer: value },
          isForAuthorizer: true,
          statuses: [isAlive ? 200 : 403],
          sees,
        }
      : {
          name: 'introspect a client in an organization',
          sent: introspect(value),
          statuses: [200],
          sees,
          contains: `"active":${isAlive}`,
        }
  }
  const token = pickOf(world, world.tokens)
  const { organization, person, value } = token
  const isMember = isUsable(token) && !organization.isDeleted
  const sees = (subject: Subject) =>
    isMember && (subject === `organization ${organization.id}` || subject === `user ${person.id}`)
  if (token.isForUserinfo)
    return {
      name: 'userinfo',
      sent: { method: 'GET', path: '/oauth2/userinfo', bearer: value },
      statuses: [isMember ? 200 : 401],
      sees,
    }
  if (random.chance(0.5))
    return {
      name: 'authorize a token',
      sent: { method: 'GET', path: '/', bearer: value },
      isForAuthorizer: true,
      statuses: [isMember ? 200 : 403],
      sees,
    }
  return {
    name: 'introspect a token',
    sent: introspect(value),
    statuses: [200],
    sees,
    contains: `"active":${isMember}`,
  }
}

/** How a request names an organization that gives a person no tokens, and one that does not exist. */
const pickRefused = (
  { random }: World,
  organization: Organization,
  isAllowed: boolean,
): { readonly form: string; readonly unknown: string } | undefined => {
  const isById = random.chance(0.5)
  // A former slug names nothing, also to members.
  const slugs = isAllowed ? organization.formerSlugs : [organization.slug, ...organization.formerSlugs]
  const [first, ...rest] = isById ? (isAllowed ? [] : [String(organization.id)]) : slugs
  if (first === undefined) return undefined
  const unknown = isById ? String(unknownIds.organization) : 'no-such-organization'
  return { form: random.pick([first, ...rest]), unknown }
}

/** Members of an organization as often as others, because a former slug is refused to both. */
const pickPerson = (world: World, { roles }: Organization): Person =>
  roles.size > 0 && world.random.chance(0.5) ? pickOf(world, [...roles.keys()]) : anyPerson(world)

/** A refresh, also for an organization that the person is not in. */
const tryRefresh = (world: World): Attempt => {
  const { random, client } = world
  const token = pickOf(world, world.tokens)
  const { organization, person, refreshToken } = token
  const sentFor = (named: object): Sent =>
    askForTokens(client, { grant_type: 'refresh_token', refresh_token: refreshToken, ...named })
  const isMember = isUsable(token)
  const joined = organizationsOf(world, person)
  const foreign = pickOf(world, random.chance(0.5) && joined.length > 0 ? joined : world.organizations)
  const refused = pickRefused(world, foreign, foreign.isActive && foreign.roles.has(person))
  if (!refused)
    return {
      name: 'refresh',
      sent: sentFor({}),
      statuses: [isMember ? 200 : 400],
      sees: (subject) =>
        isMember && (subject === `organization ${organization.id}` || subject === `user ${person.id}`),
    }
  return {
    name: 'refresh for another organization',
    sent: sentFor({ organization: refused.form }),
    statuses: [400],
    sees: nothing,
    ...(isUsable(token) && { contains: '"access_denied"' }),
    lacks: 'access_token',
    twin: { sent: sentFor({ organization: refused.unknown }), sameCalls: true },
  }
}

/** A token of a client for itself in an organization. */
const tryMachine = (world: World): Attempt => {
  const { random, machine, plainMachine } = world
  const organization = pickOf(world, world.organizations)
  const isAlive = organization.isActive && !organization.isDeleted
  const client = random.chance(0.7) ? machine : plainMachine
  const sentFor = (named: string): Sent =>
    askForTokens(client, { grant_type: 'client_credentials', organization: named })
  const refused = pickRefused(world, organization, isAlive && client === machine)
  if (!refused)
    return {
      name: 'a client in an organization',
      sent: sentFor(random.chance(0.5) ? organization.slug : String(organization.id)),
      statuses: [200],
      sees: seeOrganization(world, organization),
    }
  return {
    name: 'a client in no organization',
    sent: sentFor(refused.form),
    statuses: [400],
    sees: nothing,
    contains: client === machine ? '"access_denied"' : '"unauthorized_client"',
    lacks: 'access_token',
    twin: { sent: sentFor(refused.unknown), sameCalls: true },
  }
}

/** An authorization for an organization that the person is not in. */
const tryAuthorization = (world: World): Attempt | undefined => {
  const { random } = world
  const organization = pickOf(world, world.organizations)
  const limited = random.chance(0.3) ? [...organization.sessions][0] : undefined
  const foreign = pickOf(world, world.organizations)
  const person = pickPerson(world, foreign)
  const isMember = foreign.isActive && foreign.roles.has(person)
  if (limited && foreign === organization) return undefined
  const refused = pickRefused(world, foreign, !limited && isMember)
  if (!refused) return undefined
  const { challenge } = createPkce()
  const sentFor = (one: string): Sent => ({
    method: 'GET',
    path: authorizePath(world, one, challenge, { scope: 'openid organization' }),
    bearer: limited?.[1] ?? person.bearer,
  })
  return {
    name: limited ? 'authorization by the sign-in of another organization' : 'authorization',
    sent: sentFor(refused.form),
    statuses: [303],
    sees: nothing,
    contains: limited ? 'error=login_required' : 'error=access_denied',
    lacks: 'code=',
    twin: { sent: sentFor(refused.unknown), sameCalls: true },
  }
}

/** What the holder of a link to join can do, and others with the same link. */
const tryInvitation = (world: World): Attempt | undefined => {
  const { random } = world
  const find = (token: string): Sent => ({
    method: 'POST',
    path: '/api/2/auth/organization-invitation',
    body: { token },
  })
  if (world.deadInvitations.length > 0 && random.chance(0.4)) {
    const dead = pickOf(world, world.deadInvitations)
    return {
      name: 'find an ended invitation',
      sent: find(dead),
      statuses: [400],
      sees: nothing,
      twin: {
        sent: find(mintCredential('organization_invitation', unknownIds.invitation).value),
        // Refusals are counted, and written down together: later ones make fewer calls.
        sameCalls: false,
      },
    }
  }
  const organization = pickOf(world, living(world))
  const [invitation] = [...organization.invitations.values()].filter(({ token }) => token !== undefined)
  const token = invitation?.token
  if (!invitation || token === undefined) return undefined
  if (random.chance(0.5))
    return {
      name: 'find an invitation',
      sent: find(token),
      statuses: [200, 409],
      // The link is for the invited person: it names the organization, the address and the inviter.
      sees: (subject, marker) =>
        subject === `organization ${organization.id}` ||
        marker === invitation.email.split('@')[0] ||
        (subject === `user ${invitation.invitedBy.id}` && !/^\d+$/.test(marker)),
    }
  const person = anyPerson(world)
  if (person.email === invitation.email) return undefined
  return {
    name: 'accept an invitation for another address',
    sent: {
      method: 'POST',
      path: '/api/2/users/me/organization-invitations/accept',
      bearer: person.bearer,
      body: { token, shown: 'x'.repeat(43) },
    },
    statuses: [403, 409],
    sees: nothing,
  }
}

/** Chooses a request that changes nothing. */
export const drawAttempt = (world: World): Attempt => {
  for (;;) {
    const at = world.random.below(100)
    const attempt =
      at < 58
        ? tryOperation(world)
        : at < 68
          ? tryForeignPart(world)
          : at < 81
            ? tryOwn(world)
            : at < 92
              ? tryToken(world)
              : at < 94
                ? tryRefresh(world)
                : at < 95
                  ? tryMachine(world)
                  : at < 97
                    ? tryAuthorization(world)
                    : tryInvitation(world)
    if (attempt) return attempt
  }
}
