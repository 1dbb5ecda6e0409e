import { isAbsent, isPresent } from '../engine/expressions.ts'
import { emailKey, groupKey, type Key, memberKey, nameListing, usernameKey } from '../engine/keys.ts'
import type { Step } from '../engine/transaction.ts'
import { EditConflict } from '../engine/transaction-errors.ts'
import type { UniqueField, UserRecord } from '../records/user-record.ts'
import { adminAccess, buildAdminSteps } from './admins.ts'
import { NotUnique } from './not-unique.ts'

/*
 * What else the table holds of a user besides its record: the markers of its name and address, its place
 * among the members of each of its groups, and among the administrators. All of it changes with the record,
 * in one transaction.
 */

type Linked = Pick<
  UserRecord,
  'id' | 'normalizedUsername' | 'normalizedEmail' | 'groups' | 'isEnabled' | 'expiresAt' | 'permissions'
>

/** A step that goes along for each group to join, and refuses when it may not be joined at that moment. */
export type JoinGuard = (groupId: number) => Step

/** The minimum: otherwise a group that is deleted concurrently would keep the member forever. */
const isThere: JoinGuard = (groupId) => ({ check: groupKey(groupId), condition: isPresent })

/**
 * Refuses if the group gives administrator access, and increases its version. A concurrent edit that makes it a group
 * of administrators then conflicts, reads the group again and finds the new member.
 */
export const buildNonAdminGroupStep: JoinGuard = (groupId) => ({
  update: groupKey(groupId),
  changes: (x) => ({
    set: [`${x.path('version')} = ${x.path('version')} + ${x.value(1)}`],
    condition: `${isPresent(x)} AND NOT contains(${x.path('permissions')}, ${x.value(adminAccess)})`,
  }),
})

/**
 * Builds the other steps of a transaction that changes a user's record. `before` is undefined for a new user, and
 * `after` for a deleted one. `origin` is stored with new markers: see `findClaims`.
 *
 * If several of them fail, the error of the first decides: EditConflict (a group is gone or its guard refuses), then
 * NotUnique, then LastAdmin.
 */
export const buildIndexSteps = (
  before: Linked | undefined,
  after: Linked | undefined,
  guard?: JoinGuard,
  origin?: string,
): readonly Step[] => [
  ...buildMemberSteps(before, after, guard),
  ...buildMarkerSteps(before, after, origin),
  ...buildAdminSteps((after ?? before)?.id ?? 0, before, after),
]

const buildMarkerSteps = (
  before: Linked | undefined,
  after: Linked | undefined,
  origin: string | undefined,
): readonly Step[] => {
  const claim = (field: UniqueField, key: Key): Step => ({
    put: { ...key, userId: after?.id, ...(origin === undefined ? {} : { origin }) },
    condition: isAbsent,
    orElse: () => new NotUnique([field]),
  })
  const steps: Step[] = []
  if (before?.normalizedUsername !== after?.normalizedUsername) {
    if (before) steps.push({ delete: usernameKey(before.normalizedUsername) })
    if (after) steps.push(claim('username', buildUsernameMarker(after)))
  }
  const [oldEmail, newEmail] = [before?.normalizedEmail ?? null, after?.normalizedEmail ?? null]
  if (oldEmail !== newEmail) {
    if (oldEmail !== null) steps.push({ delete: emailKey(oldEmail) })
    if (newEmail !== null) steps.push(claim('email', emailKey(newEmail)))
  }
  return steps
}

/** The key of the item that marks a username as taken, and the user's place in the list by name, which it bears. */
export const buildUsernameMarker = ({ id, normalizedUsername }: Linked): Key => ({
  ...usernameKey(normalizedUsername),
  ...nameListing('user', normalizedUsername, id),
})

const buildMemberSteps = (
  before: Pick<UserRecord, 'id' | 'groups'> | undefined,
  after: Pick<UserRecord, 'id' | 'groups'> | undefined,
  guard: JoinGuard = isThere,
): readonly Step[] => {
  const [old, next] = [before?.groups ?? [], after?.groups ?? []]
  const id = (after ?? before)?.id ?? 0
  const left = old.filter((group) => !next.includes(group))
  const joined = next.filter((group) => !old.includes(group))
  return [
    ...left.map((group): Step => ({ delete: memberKey(group, id) })),
    ...joined.flatMap((group): Step[] => [
      { ...guard(group), orElse: () => new EditConflict() },
      { put: { ...memberKey(group, id) } },
    ]),
  ]
}

/** Groups that one transaction, which has a hundred steps at most, lets a user join and leave: two steps each. */
const groupChangesAtOnce = 35

/**
 * The way from one list of groups to another, in as many steps as it takes: what is left first, then what is
 * joined.
 */
export const chunkGroups = (
  from: readonly number[],
  to: readonly number[],
): readonly (readonly number[])[] => {
  const changes = [
    ...from.filter((id) => !to.includes(id)).map((id) => ({ id, joins: false })),
    ...to.filter((id) => !from.includes(id)).map((id) => ({ id, joins: true })),
  ]
  const stages: (readonly number[])[] = []
  let groups = from
  for (let at = 0; at + groupChangesAtOnce < changes.length; at += groupChangesAtOnce) {
    const now = changes.slice(at, at + groupChangesAtOnce)
    const left = new Set(now.flatMap(({ id, joins }) => (joins ? [] : [id])))
    const joined = now.flatMap(({ id, joins }) => (joins ? [id] : []))
    groups = [...groups.filter((id) => !left.has(id)), ...joined]
    stages.push(groups)
  }
  // The last one has the order that was asked for.
  return [...stages, to]
}
