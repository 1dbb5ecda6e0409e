import { randomBytes } from 'node:crypto'
import { ConflictError } from '../../kernel/errors/errors.ts'
import { type Condition, isAbsent, isPresent } from '../../kernel/table/expressions.ts'
import { userKey } from '../../kernel/table/keys/keys.ts'
import {
  createdOrganizationsKey,
  keptOutKey,
  membershipKey,
  membershipPrefix,
  organizationCountsKey,
  organizationMemberListing,
  organizationMemberListPartition,
} from '../../kernel/table/keys/organization-keys.ts'
import type { ListEntry, Listing } from '../../kernel/table/listing.ts'
import { createCodec, findRecord, readListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import { buildUnchangedOrganizationStep, type OrganizationRecord } from './records.ts'
import type { RoleRights } from './roles.records.ts'

/*
 * A membership is one item in the partition of its user, so that nothing in the user's record grows, and one query reads the
 * organizations of a user. The listing index lists the members of an organization. Two counts change in the same transaction:
 * that of members, which may have a limit, and that of owners, which keeps the last one.
 */

export const ownerRole = 'owner'

export interface Membership {
  readonly userId: number
  readonly organizationId: number
  readonly roles: readonly string[]
  /**
   * Random, and another one each time that the user joins. What was made in the organization before a removal names this, and stays ended:
   * see `isInJoining`. It is part of each condition, because a membership that begins again has the version 1 again.
   */
  readonly joining: string
  /** Those of merged users, whose memberships this one has taken over. */
  readonly mergedJoinings?: readonly string[]
  readonly source: 'administrator' | 'invitation' | 'connection' | 'import' | 'creation'
  /** Epoch milliseconds. */
  readonly joinedAt: number
  /**
   * Whether it counts only in sessions that a connection of the organization opened: it was given to an account that others may be able to
   * sign in to.
   */
  readonly needsProof?: true
  /** The roles that only groups of the directory gave. Leaving a group takes these, and no others. */
  readonly rolesFromDirectory?: readonly string[]
  /** The connection whose directory gave them. */
  readonly directoryId?: number
  /** Who gave the present roles. Null if a connection or an import did. */
  readonly rolesGivenBy: number | null
  /** Increases with each edit. An edit of an older version is rejected. */
  readonly version: number
}

/** What describes a membership that begins. */
export type NewMembership = Omit<Membership, 'joining' | 'version'>

/** Creates a membership that is not stored yet. */
export const beginMembership = (fields: NewMembership): Membership => ({
  ...fields,
  joining: randomBytes(12).toString('base64url'),
  version: 1,
})

/** Something that was made in an organization, with the joining of the member who made it. */
export interface MadeInOrganization {
  /** Missing if nobody made it as a member. */
  readonly joining?: string | undefined
}

/** Whether the member who made something is in the organization since then. */
export const isInJoining = (
  membership: Pick<Membership, 'joining' | 'mergedJoinings'> | undefined,
  { joining }: MadeInOrganization,
): boolean =>
  membership !== undefined &&
  joining !== undefined &&
  (membership.joining === joining || membership.mergedJoinings?.includes(joining) === true)

/** An organization as a user is in it. */
export interface OrganizationMembership {
  readonly organization: OrganizationRecord
  readonly membership: Membership
  /** What the roles of the member allow. */
  readonly permissions: readonly string[]
  readonly declaredRoles: readonly RoleRights[]
}

const codec = createCodec<Membership>('membership of an organization', {
  userId: 'number',
  organizationId: 'number',
  roles: 'list',
  joining: 'string',
  source: 'string',
  joinedAt: 'number',
  version: 'number',
})
export const decodeMembership = codec.decodeOptional

export const findMembership = (
  table: Table,
  { userId, organizationId }: Pick<Membership, 'userId' | 'organizationId'>,
): Promise<Membership | undefined> => findRecord(table, codec, membershipKey(userId, organizationId))

/** Reads the memberships of users in one organization to show them, in the order of the users. */
export const readMemberships = (
  table: Table,
  organizationId: number,
  userIds: readonly number[],
): Promise<readonly (Membership | undefined)[]> =>
  readListed(
    table,
    codec,
    userIds.map((userId) => membershipKey(userId, organizationId)),
  )

/** The memberships of a user in order of organization, to be read in pages with strong consistency. */
export const getMembershipsListing = (userId: number): Listing => ({
  pk: userKey(userId).pk,
  from: membershipPrefix,
  to: `${membershipPrefix}~`,
})

/** The membership that an entry of this list is. */
export const readMembershipEntry = ({ item }: ListEntry): Membership => codec.decode(item)

/** The members of an organization in order of ID. Each entry carries the roles. */
export const getMembersListing = (organizationId: number): Listing => ({
  pk: organizationMemberListPartition(organizationId),
  index: 'listing',
})

/** Whether the entry of a member says that they have a role. Undefined if the roles did not fit. */
export const entryHasRole = ({ text }: ListEntry, role: string): boolean | undefined =>
  text?.split(' ').includes(role)

const isOwner = (roles: readonly string[]): number => (roles.includes(ownerRole) ? 1 : 0)

/** No owner would be left. */
const lastOwner = () => new ConflictError('last_owner', 'the organization would have no owner')
const limitReached = () =>
  new ConflictError('member_limit_reached', 'the organization has as many members as it can')
const memberTaken = () => new ConflictError('already_member', 'the user is a member already')

const encodeItem = (membership: Membership) => ({
  ...codec.encode(membership),
  ...membershipKey(membership.userId, membership.organizationId),
  ...organizationMemberListing(membership.organizationId, membership.userId, membership.roles),
})

interface CountChange {
  readonly members?: number
  readonly owners?: number
}

const buildCountStep = (
  organizationId: number,
  { members = 0, owners = 0 }: CountChange,
  guard: { readonly condition?: Condition; readonly orElse?: () => Error } = {},
): readonly Step[] =>
  members === 0 && owners === 0
    ? []
    : [{ addTo: organizationCountsKey(organizationId), amounts: { members, owners, changes: 1 }, ...guard }]

/**
 * Builds the steps by which users join an organization as it was read.
 *
 * The transaction throws EditConflict if a user was deleted, or the organization was changed or deleted, and ConflictError
 * `already_member` or `member_limit_reached`.
 */
export const buildJoinAllSteps = (
  organization: OrganizationRecord,
  memberships: readonly Membership[],
): readonly Step[] => {
  const limit = organization.member_limit
  const owners = memberships.reduce((sum, { roles }) => sum + isOwner(roles), 0)
  const last = limit === null ? 0 : limit - memberships.length
  return [
    ...memberships.flatMap((membership): Step[] => [
      { put: encodeItem(membership), condition: isAbsent, orElse: memberTaken },
      { check: userKey(membership.userId), condition: isPresent, orElse: () => new EditConflict() },
    ]),
    buildUnchangedOrganizationStep(organization),
    ...buildCountStep(
      organization.id,
      { members: memberships.length, owners },
      limit === null
        ? {}
        : {
            condition: (x) =>
              last < 0
                ? `${x.path('members')} <= ${x.value(last)}`
                : `attribute_not_exists(${x.path('members')}) OR ${x.path('members')} <= ${x.value(last)}`,
            orElse: limitReached,
          },
    ),
  ]
}

/** The same for one user. */
export const buildJoinSteps = (organization: OrganizationRecord, membership: Membership): readonly Step[] =>
  buildJoinAllSteps(organization, [membership])

/**
 * Builds the steps by which the creator of an organization becomes its owner. They count what a user ever created, because a slug
 * stays reserved after a deletion.
 *
 * The transaction throws EditConflict if the user was deleted, and ConflictError `too_many_organizations`.
 */
export const buildFirstOwnerSteps = (membership: Membership, creationsMax: number): readonly Step[] => [
  { put: encodeItem(membership), condition: isAbsent },
  { check: userKey(membership.userId), condition: isPresent, orElse: () => new EditConflict() },
  ...buildCountStep(membership.organizationId, { members: 1, owners: 1 }),
  {
    addTo: createdOrganizationsKey(membership.userId),
    amounts: { created: 1 },
    condition: (x) =>
      `attribute_not_exists(${x.path('created')}) OR ${x.path('created')} < ${x.value(creationsMax)}`,
    orElse: () =>
      new ConflictError('too_many_organizations', 'you have created as many organizations as you can'),
  },
]

/**
 * Keeps an owner in an organization. Only an administrator of the service may remove the last one.
 */
const guardOwner = (keepsOwner: boolean, change: CountChange) =>
  keepsOwner && (change.owners ?? 0) < 0
    ? {
        condition: ((x) => `${x.path('owners')} > ${x.value(1)}`) satisfies Condition,
        orElse: lastOwner,
      }
    : {}

export interface MembershipOptions {
  /** Whether the last owner stays one. */
  readonly keepsOwner: boolean
  readonly extraSteps: readonly Step[]
}

/**
 * Changes the roles of a member as they were read.
 *
 * @throws EditConflict if the membership was changed or ended since
 * @throws ConflictError `last_owner`
 */
export const changeRoles = async (
  table: Table,
  membership: Membership,
  changes: Pick<Membership, 'roles' | 'rolesGivenBy' | 'rolesFromDirectory' | 'directoryId'>,
  { keepsOwner, extraSteps }: MembershipOptions,
): Promise<Membership> => {
  const changed = { ...membership, ...changes, version: membership.version + 1 }
  const edited = { ...changed, ...keepFromDirectory(changed) }
  const { organizationId } = membership
  const counted = { owners: isOwner(edited.roles) - isOwner(membership.roles) }
  await table.transact([
    {
      put: encodeItem(edited),
      condition: isUnchanged(membership),
      orElse: () => new EditConflict(),
      ...(membership.directoryId !== undefined && { edits: { before: membership, after: edited } }),
    },
    ...buildCountStep(organizationId, counted, guardOwner(keepsOwner, counted)),
    ...extraSteps,
  ])
  return edited
}

/** A role that somebody took is not one of the directory any more. */
const keepFromDirectory = ({
  roles,
  rolesFromDirectory,
}: Pick<Membership, 'roles' | 'rolesFromDirectory'>): Pick<Membership, 'rolesFromDirectory'> =>
  rolesFromDirectory ? { rolesFromDirectory: rolesFromDirectory.filter((role) => roles.includes(role)) } : {}

/** The roles of a member that people gave, or that they joined with. */
export const listOwnRoles = ({
  roles,
  rolesFromDirectory = [],
}: Pick<Membership, 'roles' | 'rolesFromDirectory'>): readonly string[] =>
  roles.filter((role) => !rolesFromDirectory.includes(role))

/**
 * Lets a membership count in all sessions of its user.
 *
 * @throws EditConflict if it was changed or ended since it was read
 */
export const confirmMembership = async (
  table: Table,
  { needsProof: _, ...membership }: Membership,
  extraSteps: readonly Step[],
): Promise<void> => {
  const edited = { ...membership, version: membership.version + 1 }
  await table.transact([
    { put: encodeItem(edited), condition: isUnchanged(membership), orElse: () => new EditConflict() },
    ...extraSteps,
  ])
}

const isUnchanged =
  ({ joining, version }: Pick<Membership, 'joining' | 'version'>): Condition =>
  (x) =>
    `${x.path('joining')} = ${x.value(joining)} AND ${x.path('version')} = ${x.value(version)}`

/**
 * Ends a membership as it was read.
 *
 * @throws EditConflict if it was changed or ended since
 * @throws ConflictError `last_owner`
 */
export const endMembership = (
  table: Table,
  membership: Membership,
  { keepsOwner, extraSteps }: MembershipOptions,
): Promise<void> => {
  const counted = { members: -1, owners: -isOwner(membership.roles) }
  return table.transact([
    {
      delete: membershipKey(membership.userId, membership.organizationId),
      condition: isUnchanged(membership),
      orElse: () => new EditConflict(),
    },
    ...buildCountStep(membership.organizationId, counted, guardOwner(keepsOwner, counted)),
    ...extraSteps,
  ])
}

/** Builds the step that decides, at the end of a membership, whether the company sign-in makes the user a member again. */
export const buildReturnStep = (
  { userId, organizationId }: Membership,
  { isKeptOut }: { readonly isKeptOut: boolean },
): Step =>
  isKeptOut
    ? { put: { ...keptOutKey(userId, organizationId) } }
    : { delete: keptOutKey(userId, organizationId) }

/** Whether a user was removed from an organization, and no company sign-in makes them a member again. */
export const isKeptOut = async (
  table: Table,
  { userId, organizationId }: Pick<Membership, 'userId' | 'organizationId'>,
): Promise<boolean> => (await table.get(keptOutKey(userId, organizationId))) !== undefined

/** Builds the step that fails with `EditConflict` if a user is kept out of an organization. */
export const buildNotKeptOutStep = ({ userId, organizationId }: Membership): Step => ({
  check: keptOutKey(userId, organizationId),
  condition: isAbsent,
  orElse: () => new EditConflict(),
})

/** Builds the step that fails with `EditConflict` if a membership was changed or ended since it was read. */
export const buildUnchangedMembershipStep = (membership: Membership): Step => ({
  check: membershipKey(membership.userId, membership.organizationId),
  condition: isUnchanged(membership),
  orElse: () => new EditConflict(),
})

/**
 * Builds the steps that move a membership of a merged user to the user who is kept, and what they have afterwards. If both are members, the
 * kept user gets the roles of both.
 */
export const buildMoveMembershipSteps = (
  before: Membership,
  keptId: number,
  kept: Membership | undefined,
): { readonly after: Membership; readonly steps: readonly Step[] } => {
  const { organizationId, version: _, ...fields } = before
  const roles = [...new Set([...(kept?.roles ?? []), ...before.roles])]
  const own = [...(kept ? listOwnRoles(kept) : []), ...listOwnRoles(before)]
  const fromDirectory = roles.filter((role) => !own.includes(role))
  const after: Membership = kept
    ? {
        ...kept,
        roles,
        ...(fromDirectory.length > 0 && { rolesFromDirectory: fromDirectory }),
        mergedJoinings: [...(kept.mergedJoinings ?? []), before.joining, ...(before.mergedJoinings ?? [])],
        version: kept.version + 1,
      }
    : { ...fields, organizationId, userId: keptId, version: 1 }
  return {
    after,
    steps: [
      { delete: membershipKey(before.userId, organizationId), condition: isUnchanged(before) },
      { put: encodeItem(after), condition: kept ? isUnchanged(kept) : isAbsent },
      ...(kept
        ? buildCountStep(organizationId, {
            members: -1,
            owners: isOwner(roles) - isOwner(kept.roles) - isOwner(before.roles),
          })
        : []),
    ],
  }
}

/** Builds the steps that end a membership of a user who was deleted. */
export const buildEndMembershipSteps = (membership: Membership): readonly Step[] => [
  {
    delete: membershipKey(membership.userId, membership.organizationId),
    condition: isUnchanged(membership),
  },
  ...buildCountStep(membership.organizationId, { members: -1, owners: -isOwner(membership.roles) }),
]
