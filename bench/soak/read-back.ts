import { hasVerifiedEmail } from '../../lib/accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import type { Membership } from '../../lib/features/organizations/memberships.records.ts'
import {
  decodeRights,
  type RoleRights,
  type StoredRoles,
} from '../../lib/features/organizations/roles.records.ts'
import {
  adminsKey,
  apiTokenCountKey,
  apiTokenPrefix,
  emailClaimKey,
  emailKey,
  groupKey,
  guestEmailKey,
  guestNameKey,
  idAtEnd,
  type Key,
  memberKey,
  memberPrefix,
  usernameKey,
  usernameSkeletonKey,
} from '../../lib/kernel/table/keys/keys.ts'
import {
  membershipPrefix,
  organizationCountsKey,
  organizationRightsCopies,
  organizationRightsKey,
  organizationRolesKey,
} from '../../lib/kernel/table/keys/organization-keys.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'

const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`

/** What a user holds: see `name-steps.records.ts`. It is listed here again, so that a mistake there does not hide itself. */
const listNames = (user: UserRecord): readonly Key[] => {
  const { id, normalizedUsername, normalizedSkeleton, normalizedEmail: email } = user
  if (user.successorId !== undefined) return []
  if (user.hasGuestNames) return [guestNameKey(id), ...(email === null ? [] : [guestEmailKey(email)])]
  const names = [
    usernameKey(normalizedUsername),
    ...(normalizedSkeleton === undefined ? [] : [usernameSkeletonKey(normalizedSkeleton)]),
  ]
  if (email === null) return names
  return [...names, hasVerifiedEmail(user) ? emailKey(email) : emailClaimKey(email, id)]
}

const namePartitions = [
  partitions.username,
  partitions.email,
  partitions.emailClaims,
  partitions.guest,
  partitions.guestEmail,
]

/** Finds records of a table that disagree with each other. Returns each as one line. */
export const findHalfMade = (items: readonly Item[]): readonly string[] => {
  const byKey = new Map(items.map((item) => [nameOf(item), item]))
  const users = new Map(
    items.filter(({ sk }) => sk === 'user').map((item) => [Number(item['id']), item as Item & UserRecord]),
  )
  return [
    ...findNames(items, byKey, users),
    ...findMembers(items, byKey, users),
    ...findMemberships(items, byKey, users),
    ...findRights(items, byKey),
    ...findApiTokens(items, byKey, users),
    ...findAdmins(byKey, users),
  ]
}

type Users = ReadonlyMap<number, Item & UserRecord>
type ByKey = ReadonlyMap<string, Item>

const findNames = (items: readonly Item[], byKey: ByKey, users: Users): readonly string[] => {
  const held = new Set<string>()
  const wrong: string[] = []
  for (const user of users.values())
    for (const key of listNames(user)) {
      held.add(nameOf(key))
      const holder = byKey.get(nameOf(key))?.['userId']
      if (holder !== user.id) wrong.push(`user ${user.id} does not hold ${nameOf(key)}`)
    }
  for (const item of items)
    if (namePartitions.some((prefix) => item.pk.startsWith(prefix)) && !held.has(nameOf(item)))
      wrong.push(`no user has ${nameOf(item)}`)
  return wrong
}

const findMembers = (items: readonly Item[], byKey: ByKey, users: Users): readonly string[] => {
  const wrong: string[] = []
  for (const { id, groups } of users.values())
    for (const group of groups) {
      if (!byKey.has(nameOf(groupKey(group)))) wrong.push(`user ${id} is in the missing group ${group}`)
      if (!byKey.has(nameOf(memberKey(group, id)))) wrong.push(`group ${group} does not list user ${id}`)
    }
  for (const { pk, sk } of items)
    if (pk.startsWith(partitions.group) && sk.startsWith(memberPrefix)) {
      const group = Number(pk.slice(partitions.group.length))
      if (!users.get(idAtEnd(sk))?.groups.includes(group))
        wrong.push(`group ${group} lists user ${idAtEnd(sk)}, who is not in it`)
    }
  return wrong
}

const findMemberships = (items: readonly Item[], byKey: ByKey, users: Users): readonly string[] => {
  const found = new Map<number, { members: number; owners: number }>()
  const wrong: string[] = []
  for (const item of items) {
    if (!item.pk.startsWith(partitions.user) || !item.sk.startsWith(membershipPrefix)) continue
    const { userId, organizationId, roles } = item as Item &
      Pick<Membership, 'userId' | 'organizationId' | 'roles'>
    if (!users.has(userId)) wrong.push(`user ${userId}, who is missing, is in organization ${organizationId}`)
    const { members, owners } = found.get(organizationId) ?? { members: 0, owners: 0 }
    found.set(organizationId, { members: members + 1, owners: owners + (roles.includes('owner') ? 1 : 0) })
  }
  for (const { pk, sk } of items) {
    const id = Number(pk.slice(partitions.organization.length))
    if (pk.startsWith(partitions.organization) && sk === organizationCountsKey(id).sk && !found.has(id))
      found.set(id, { members: 0, owners: 0 })
  }
  for (const [id, actual] of found) {
    const counts = byKey.get(nameOf(organizationCountsKey(id)))
    const [members, owners] = [Number(counts?.['members'] ?? 0), Number(counts?.['owners'] ?? 0)]
    if (members !== actual.members || owners !== actual.owners)
      wrong.push(
        `organization ${id} has ${actual.members} members and ${actual.owners} owners, and ${members} and ${owners} are counted`,
      )
  }
  return wrong
}

/** Each request that names an organization reads one of the copies, so all of them say what the declared roles allow. */
const findRights = (items: readonly Item[], byKey: ByKey): readonly string[] => {
  const declared = byKey.get(nameOf(organizationRolesKey)) as (Item & StoredRoles) | undefined
  const describe = (roles: readonly RoleRights[] | undefined): string | undefined =>
    roles && JSON.stringify(roles.map((role) => [role.key, role.permissions, role.given_by]))
  const expected = describe(declared?.roles)
  const readRights = (key: Key): string | undefined => {
    const item = byKey.get(nameOf(key))
    return describe(item && decodeRights(item))
  }
  const keys = Array.from({ length: organizationRightsCopies }, (_, copy) => organizationRightsKey(copy))
  const known = new Set(keys.map(nameOf))
  const unknown = items.filter(
    (item) => item.pk.startsWith(partitions.organizationRights) && !known.has(nameOf(item)),
  )
  return [
    ...keys
      .filter((key) => readRights(key) !== expected)
      .map((key) => `${nameOf(key)} is not what the declared roles allow`),
    ...unknown.map((item) => `no request reads ${nameOf(item)}`),
  ]
}

const findApiTokens = (items: readonly Item[], byKey: ByKey, users: Users): readonly string[] => {
  const counts = new Map<string, number>()
  for (const { pk, sk } of items) if (sk.startsWith(apiTokenPrefix)) counts.set(pk, (counts.get(pk) ?? 0) + 1)
  return [...users.values()].flatMap(({ id, pk }) => {
    const counted = Number(byKey.get(nameOf(apiTokenCountKey(id)))?.['count'] ?? 0)
    const found = counts.get(pk) ?? 0
    return counted === found ? [] : [`user ${id} has ${found} API tokens, and ${counted} are counted`]
  })
}

const findAdmins = (byKey: ByKey, users: Users): readonly string[] => {
  const listed = byKey.get(nameOf(adminsKey))?.['ids']
  const ids = listed instanceof Set ? [...listed].map(Number) : []
  const actual = [...users.values()]
    .filter(
      ({ is_enabled: isEnabled, expiresAt, permissions }) =>
        isEnabled && expiresAt === null && permissions.includes('system:admin-access'),
    )
    .map(({ id }) => id)
  const isSame = ids.length === actual.length && actual.every((id) => ids.includes(id))
  return isSame ? [] : [`administrators are ${actual.join()}, and ${ids.join()} are listed`]
}
