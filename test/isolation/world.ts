import type { OrganizationPermission } from '../../lib/kernel/contract/organization-permissions.ts'
import { organizationPermissionNames } from '../../lib/kernel/contract/organization-permissions.ts'
import type { Random } from '../fuzz/random.ts'
import type { createMarkers, Subject } from './markers.ts'

/*
 * What the service should know: organizations, people, keys and tokens. It has the rules of docs/concepts/organizations.md, written
 * again, as a second opinion on the code.
 */

export interface Person {
  readonly id: number
  readonly email: string
  readonly bearer: string
  readonly apiToken: string
}

export interface Key {
  readonly id: number
  readonly value: string
  readonly permissions: readonly string[]
}

export interface Invitation {
  readonly id: number
  readonly email: string
  readonly roles: readonly string[]
  readonly invitedBy: Person
  /** Whether the membership of the inviter ended since. It stays without effect when they join again. */
  hasEnded: boolean
  /** The value of the latest link, if somebody got it. */
  token?: string | undefined
}

export interface Organization {
  readonly id: number
  slug: string
  readonly formerSlugs: string[]
  isActive: boolean
  isDeleted: boolean
  readonly roles: Map<Person, readonly string[]>
  /** Everybody who was in it, whose ID may stay there: as the one who gave a role, say. */
  readonly known: Set<number>
  readonly keys: Map<number, Key>
  readonly invitations: Map<number, Invitation>
  /** The access links in its name. */
  readonly links: Set<number>
  /** Sessions that only the sign-in of this organization opened. */
  readonly sessions: Map<Person, string>
  /** Such sessions from before their person left. They count no more, also when the person joins again. */
  readonly endedSessions: string[]
}

/** An access token of a person for one organization. */
export interface IssuedToken {
  readonly value: string
  readonly refreshToken: string
  readonly person: Person
  readonly organization: Organization
  /** Whether it is for userinfo. Others are for an API. */
  readonly isForUserinfo: boolean
  /** Whether its membership ended once. It does not work again when the person joins again. */
  hasEnded: boolean
}

/** An access token of a client for itself in one organization. */
export interface MachineToken {
  readonly value: string
  readonly organization: Organization
}

export interface Client {
  readonly id: string
  readonly secret: string
  readonly redirectUri: string
}

/** The API whose server asks about tokens. */
export const audience = 'https://films.example/api'

export const declaredRoles: readonly {
  readonly key: string
  readonly texts: { readonly en: string }
  readonly permissions: readonly string[]
}[] = [
  { key: 'editor', texts: { en: 'Editor' }, permissions: ['films:edit'] },
  {
    key: 'lead',
    texts: { en: 'Lead' },
    permissions: ['org:members:view', 'org:members:manage', 'films:edit'],
  },
  { key: 'keeper', texts: { en: 'Keeper' }, permissions: ['org:members:view', 'org:keys:manage'] },
]
export const roleKeys = ['owner', 'admin', 'member', 'editor', 'lead', 'keeper'] as const

const rolePermissions = new Map<string, readonly string[]>([
  ['owner', organizationPermissionNames],
  ['admin', organizationPermissionNames.filter((name) => !/sign-in|keys/.test(name))],
  ...declaredRoles.map(({ key, permissions }) => [key, permissions] as const),
])

export const permissionsOf = (roles: readonly string[]): ReadonlySet<string> =>
  new Set(roles.flatMap((role) => rolePermissions.get(role) ?? []))

/** Whether somebody with these roles may give or take others. */
export const mayGive = (own: readonly string[], roles: readonly string[]): boolean => {
  if (own.includes('owner')) return true
  const held = permissionsOf(own)
  return !roles.includes('owner') && [...permissionsOf(roles)].every((name) => held.has(name))
}

export const hasPermission = (
  organization: Organization,
  person: Person,
  permission: OrganizationPermission | 'membership',
): boolean => {
  const roles = organization.roles.get(person)
  return roles !== undefined && (permission === 'membership' || permissionsOf(roles).has(permission))
}

export const countOwners = ({ roles }: Organization): number =>
  [...roles.values()].filter((one) => one.includes('owner')).length

export interface World {
  readonly random: Random
  readonly markers: ReturnType<typeof createMarkers>
  readonly people: Person[]
  readonly organizations: Organization[]
  readonly tokens: IssuedToken[]
  readonly machineTokens: MachineToken[]
  /** Positions in lists of any organization, as queries. */
  readonly cursors: string[]
  /** Credentials that worked once, for an organization that was deleted or that deleted them. */
  readonly deadKeys: { readonly organization: Organization; readonly value: string }[]
  readonly deadInvitations: string[]
  readonly staff: { readonly id: number; readonly bearer: string }
  readonly client: Client
  /** A client that gets tokens for itself in each organization, and one that gets them in none. */
  readonly machine: Client
  readonly plainMachine: Client
}

export const living = ({ organizations }: World): readonly Organization[] =>
  organizations.filter(({ isDeleted }) => !isDeleted)

export const organizationsOf = (world: World, person: Person): readonly Organization[] =>
  living(world).filter(({ roles }) => roles.has(person))

/**
 * What somebody may see who sees one organization: also its members, or the addresses that it invites. Who gave a role or invited
 * somebody is shown with their ID, also when they have left.
 */
export const seeOrganization = (
  { staff }: World,
  organization: Organization,
  people?: 'members' | 'invited',
): ((subject: Subject, marker: string) => boolean) => {
  const names =
    people === 'members' ? new Set([...organization.roles.keys()].map(({ id }) => `user ${id}`)) : undefined
  const addresses =
    people === 'invited' ? [...organization.invitations.values()].map(({ email }) => email) : undefined
  const ids = people && new Set([...organization.known, staff.id].map(String))
  return (subject, marker) =>
    subject === `organization ${organization.id}` ||
    names?.has(subject) === true ||
    addresses?.some((email) => email.startsWith(marker)) === true ||
    ids?.has(marker) === true
}

/** Whether the membership of a token never ended, and its organization is active. */
export const isUsable = ({ hasEnded, organization, person }: IssuedToken): boolean =>
  !hasEnded && organization.isActive && organization.roles.has(person)
