import type { Principal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { requireUnchanged } from '../../accounts/events/require-unchanged.ts'
import { findId, normalizeEmail } from '../../accounts/names/names.ts'
import { findUserIdByEmail, findUsers } from '../../accounts/users/find-users.records.ts'
import { isGuestUser } from '../../accounts/users/guest-state.records.ts'
import { requireUser } from '../../accounts/users/require-records.ts'
import { buildNameMatcher } from '../../accounts/users/search-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { toUserMini } from '../../accounts/users/user-body.ts'
import { type ListRequest, readPageRequest, toListReply } from '../../http/paging.ts'
import type { UseCase, UseCaseRequest } from '../../http/use-case.ts'
import { invalidRequest, requireFound } from '../../kernel/errors/errors.ts'
import {
  buildPage,
  createSource,
  getIds,
  type ListEntry,
  mapRows,
  type Page,
  readFilteredPage,
  readPage,
} from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import { foldText } from '../../kernel/util/fold-text.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { isMembershipProven } from '../sign-in/organization-sessions.ts'
import { type OrganizationAccess, requireControlOfRoles } from './access.ts'
import { auditMembership, describeMember } from './audit-membership.ts'
import { toMemberBody, toOwnBody } from './body.ts'
import { requireEffectiveRoles } from './effective-roles.ts'
import {
  beginMembership,
  buildJoinSteps,
  buildReturnStep,
  changeRoles,
  endMembership,
  entryHasRole,
  findMembership,
  getMembershipsListing,
  getMembersListing,
  type Membership,
  readMembershipEntry,
  readMemberships,
} from './memberships.records.ts'
import type { OrganizationMember } from './models.ts'
import type { organizations } from './operations.ts'
import { buildChangeSteps, buildGivenRolesSteps, makesOwner } from './owner-notices.ts'
import { readParts } from './parts.records.ts'
import { type OrganizationRecord, readOrganizations } from './records.ts'
import { findRights } from './roles.records.ts'
import { requireKnownRoles } from './roles.ts'
import { findSignInUrl } from './sign-in-rules.ts'

type MemberRow = readonly [Membership, UserRecord]

/** Lists members in order of ID, or finds one by their address. */
export const getOrganizationMembers: UseCase<typeof organizations.getOrganizationMembers> = async (
  request,
  { table, config },
) => {
  const page = await mapRows(await findMembers(table, request), (rows) =>
    toMemberBodies(table, request.organization, rows),
  )
  return { status: 200, ...toListReply(request, config, page) }
}

/** Reads the connections of the organization once for all of its members. */
const toMemberBodies = async (
  table: Table,
  { organization }: OrganizationAccess,
  rows: readonly MemberRow[],
): Promise<readonly OrganizationMember[]> => {
  const { makesMembers } = await import('../connections/joining-by-sign-in.ts')
  const returns = await makesMembers(table, organization.id)
  const kept = await findKeptOf(
    table,
    rows.map(([membership]) => membership),
  )
  return rows.map(([membership, user]) => ({
    ...toMemberBody(membership, user, returns),
    ...omitUndefined({ directory_roles: kept?.get(user.id) }),
  }))
}

/** The roles that directories keep. Members without a directory take no table call. */
const findKeptOf = async (table: Table, memberships: readonly Membership[]) => {
  if (memberships.every(({ directoryId }) => directoryId === undefined)) return undefined
  const { findKeptRoles } = await import('../connections/kept-by-directory.ts')
  return findKeptRoles(table, memberships)
}

const toBody = async (
  table: Table,
  access: OrganizationAccess,
  row: MemberRow,
): Promise<OrganizationMember> => {
  const [body] = await toMemberBodies(table, access, [row])
  return requireFound(body, 'member')
}

const findMembers = async (
  table: Table,
  request: UseCaseRequest<typeof organizations.getOrganizationMembers>,
): Promise<Page<MemberRow>> => {
  const { id } = request.organization.organization
  const { email, filter, role } = request.query
  const page = readPageRequest(request)
  const matches = buildNameMatcher({ filter, filtering_mode: 'contains' })
  const isWanted = (user: UserRecord | undefined): user is UserRecord =>
    user !== undefined && (!matches || matches(listShownNames(user)))
  const read = async (userIds: readonly number[]): Promise<readonly (MemberRow | undefined)[]> => {
    const users = (await findUsers(table, userIds)).filter(isWanted)
    const memberships = await readMemberships(
      table,
      id,
      users.map((user) => user.id),
    )
    const rows = new Map(
      users.flatMap((user, at) => {
        const membership = memberships[at]
        return membership ? [[user.id, [membership, user] as const]] : []
      }),
    )
    return userIds.map((userId) => rows.get(userId))
  }
  const hasRole = ([{ roles }]: MemberRow): boolean => role === undefined || roles.includes(role)
  /** Makes the same calls for an address of a stranger as for one that nobody has. */
  const readByAddress = async (address: string): Promise<readonly MemberRow[]> => {
    const found = await findId(normalizeEmail(address), (normalized) => findUserIdByEmail(table, normalized))
    const ids = [found ?? nobody]
    const [[user], [membership]] = await Promise.all([findUsers(table, ids), readMemberships(table, id, ids)])
    const row = user && membership && ([membership, user] as const)
    return row && hasRole(row) ? [row] : []
  }
  const toPage = (rows: readonly MemberRow[]) => buildPage(rows, ([{ userId }]) => String(userId), page)
  if (email !== undefined) return toPage(await readByAddress(email))
  if (filter?.includes('@')) {
    const rows = await readByAddress(filter)
    if (rows.length > 0) return toPage(rows)
  }
  const listing = getMembersListing(id)
  const readEntries = (entries: readonly ListEntry[]) => read(getIds(entries))
  if (role === undefined && !matches) return readPage(table, listing, page, readEntries)
  const ofRole = async (entries: readonly ListEntry[]) => {
    const wanted = entries.filter((entry) => role === undefined || (entryHasRole(entry, role) ?? true))
    const rows = await readEntries(wanted)
    const byKey = new Map(wanted.map(({ indexKey }, at) => [indexKey, rows[at]]))
    return entries.map(({ indexKey }) => byKey.get(indexKey))
  }
  return readFilteredPage(createSource(table, listing, page), page, ofRole, hasRole)
}

/** Nobody has this ID. */
const nobody = 0

/** What a list of members shows of a user, and so what a search compares. */
const listShownNames = (user: UserRecord): readonly string[] => {
  const { username, display_name: name, email } = toUserMini(user)
  return [username, name, email ?? ''].map(foldText)
}

/** Makes a user a member. Only the service does it: members invite people, who decide themselves. */
export const createOrganizationMember: UseCase<typeof organizations.createOrganizationMember> = async (
  { body, organization: access, principal, context },
  services,
) => {
  const { table, now } = services
  const user = await requireUser(table, body.user)
  if (isGuestUser(user))
    throw invalidRequest([{ field: 'user', message: 'is a guest of access links, who cannot be a member' }])
  requireKnownRoles(access.declaredRoles, body.roles)
  const membership = beginMembership({
    userId: user.id,
    organizationId: access.organization.id,
    roles: [...new Set(body.roles)],
    source: 'administrator',
    joinedAt: now(),
    rolesGivenBy: context.actor,
  })
  requireEffectiveRoles(user, membership)
  await table.transact([
    ...buildJoinSteps(access.organization, membership),
    auditMembership(context, { after: membership }),
    ...buildGivenRolesSteps(membership, now()),
    ...(makesOwner([], membership.roles)
      ? buildChangeSteps(services, context, access, principal.user, {
          change: 'organization_owner_added',
          name: user.username,
          owner: user.id,
        })
      : []),
  ])
  return { status: 201, body: await toBody(table, access, [membership, user]) }
}

/** Changes the roles of a member. */
export const patchOrganizationMember: UseCase<typeof organizations.patchOrganizationMember> = async (
  { params, body, organization: access, principal, context },
  services,
) => {
  const { table, now } = services
  const [membership, user] = await requireMember(table, access, params.user_id)
  requireKnownRoles(access.declaredRoles, body.roles)
  const roles = [...new Set(body.roles)]
  requireUnchanged(context, describeMember(membership))
  if (hasSameRoles(membership.roles, roles))
    return { status: 200, body: await toBody(table, access, [membership, user]) }
  requireControlOfRoles(
    access,
    [...membership.roles, ...roles],
    [
      ...membership.roles.filter((role) => !roles.includes(role)),
      ...roles.filter((role) => !membership.roles.includes(role)),
    ],
  )
  if (roles.some((role) => !membership.roles.includes(role))) requireEffectiveRoles(user, membership)
  const edited = await changeRoles(
    table,
    membership,
    { roles, rolesGivenBy: context.actor },
    {
      keepsOwner: !access.isForService,
      extraSteps: [
        auditMembership(context, { before: membership, after: { ...membership, roles } }),
        ...buildGivenRolesSteps({ ...membership, roles, rolesGivenBy: context.actor }, now()),
        ...(makesOwner(membership.roles, roles)
          ? buildChangeSteps(services, context, access, principal?.user, {
              change: 'organization_owner_added',
              name: user.username,
              owner: user.id,
            })
          : []),
      ],
    },
  )
  return { status: 200, body: await toBody(table, access, [edited, user]) }
}

const hasSameRoles = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((role) => b.includes(role))

const requireMember = async (
  table: Table,
  { organization }: OrganizationAccess,
  userId: number,
): Promise<MemberRow> => {
  const membership = await findMembership(table, { userId, organizationId: organization.id })
  const [user] = membership ? await findUsers(table, [userId]) : []
  return [requireFound(membership, 'member'), requireFound(user, 'member')]
}

/** Removes a member, whose tokens of the organization stop working. */
export const removeOrganizationMember: UseCase<typeof organizations.removeOrganizationMember> = async (
  { params, query, organization: access, context },
  { table },
) => {
  const [membership] = await requireMember(table, access, params.user_id)
  requireControlOfRoles(access, membership.roles, [])
  await end(table, context, membership, {
    keepsOwner: !access.isForService,
    isKeptOut: query.keep_out ?? false,
  })
  return { status: 204 }
}

const end = (
  table: Table,
  context: RequestContext,
  membership: Membership,
  { keepsOwner, isKeptOut }: { readonly keepsOwner: boolean; readonly isKeptOut: boolean },
): Promise<void> =>
  endMembership(table, membership, {
    keepsOwner,
    extraSteps: [
      buildReturnStep(membership, { isKeptOut }),
      auditMembership(context, { before: membership }),
    ],
  })

/** Lists the organizations of the caller. */
export const getOwnOrganizations: UseCase<typeof organizations.getOwnOrganizations> = async (
  request,
  services,
) =>
  listOrganizationsOf(
    request,
    services,
    request.principal.session?.accessLink ? undefined : request.principal,
    {
      isShown: (membership) => isMembershipProven(request.principal, membership),
      findUrl: (member) => findSignInUrl(services, request.principal, member),
    },
  )

/** Lists the organizations of a user. */
export const getUserOrganizations: UseCase<typeof organizations.getUserOrganizations> = async (
  request,
  services,
) =>
  listOrganizationsOf(
    request,
    services,
    { user: await requireUser(services.table, request.params.id) },
    { isShown: () => true, findUrl: () => null },
  )

interface ListedOrganizations {
  readonly isShown: (membership: Membership) => boolean
  readonly findUrl: (member: {
    readonly organization: OrganizationRecord
    readonly membership: Membership
  }) => string | null
}

const listOrganizationsOf = async (
  request: ListRequest,
  { table, config }: Services,
  whose: Pick<Principal, 'user' | 'session'> | undefined,
  { isShown, findUrl }: ListedOrganizations,
) => {
  const declaredRoles = await findRights(table)
  const page = readPageRequest(request)
  const found = whose
    ? await readPage(table, getMembershipsListing(whose.user.id), page, async (entries) => {
        const memberships = entries.map(readMembershipEntry)
        const organizations = await readOrganizations(
          table,
          memberships.map(({ organizationId }) => organizationId),
        )
        return memberships.map((membership, at) => {
          const organization = organizations[at]
          return organization && isShown(membership)
            ? toOwnBody(whose, {
                organization,
                membership,
                declaredRoles,
                signInUrl: findUrl({ organization, membership }),
              })
            : undefined
        })
      })
    : { rows: [] }
  return { status: 200, ...toListReply(request, config, found) } as const
}

/** Ends the membership of the caller. */
export const leaveOrganization: UseCase<typeof organizations.leaveOrganization> = async (
  { params, principal, context },
  { table },
) => {
  // Items of memberships outlive a deleted organization, but nobody is a member of it.
  const { organization, membership } = await readParts(table, principal.user.id, params.id)
  await end(table, context, requireFound(organization && membership, 'organization'), {
    keepsOwner: true,
    isKeptOut: false,
  })
  return { status: 204 }
}
