import { grants, selectGroupPermissions } from '../../accounts/callers/permissions.ts'
import { findGroups } from '../../accounts/groups/groups.records.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { OrganizationPermission } from '../../kernel/contract/organization-permissions.ts'
import type { Services } from '../../services.ts'
import { listPermissionsOf } from '../organizations/access.ts'
import type { MadeInOrganization } from '../organizations/memberships.records.ts'
import type { OrganizationParts } from '../organizations/parts.records.ts'
import type { AccessLinkRecord } from './link.records.ts'
import { readLinkOrganizations } from './records.ts'

/*
 * A link works only as long as its creator may create links. So a disabled account, or one that lost the permission,
 * shares nothing any more. The links work again once the creator gets it back. In the
 * name of an organization, the creator must also be a member with a role for it.
 */

const needed = 'media:access'

/** The IDs of those creators who may create links now. Groups are read together, and only if they decide. */
const findSharers = async (
  { table, now }: Services,
  creators: readonly UserRecord[],
): Promise<ReadonlySet<number>> => {
  const active = creators.filter((creator) => isActive(creator, now()))
  const undecided = active.filter(({ permissions }) => !grants(permissions, needed))
  const groups = await findGroups(
    table,
    undecided.flatMap((creator) => creator.groups),
  )
  const sharers = active.filter(
    (creator) =>
      grants(creator.permissions, needed) ||
      grants(
        selectGroupPermissions(
          creator,
          groups.filter(({ id }) => creator.groups.includes(id)),
        ),
        needed,
      ),
  )
  return new Set(sharers.map(({ id }) => id))
}

/**
 * Whether the links of this creator work now. False for a deleted one.
 *
 * @param parts the organization of the link as its creator is in it. Undefined only for a link without one
 */
export const canShare = async (
  services: Services,
  creator: UserRecord | undefined,
  parts: OrganizationParts | undefined,
  link: MadeInOrganization,
): Promise<boolean> =>
  creator !== undefined &&
  (parts === undefined || canShareFor(creator, parts, link)) &&
  (await findSharers(services, [creator])).size > 0

/** What a role in the organization must allow. */
export const neededInOrganization: OrganizationPermission = 'org:links:manage'

/** Whether links of a user in the name of an organization work now. Those of a suspended or deleted one do not. */
export const canShareFor = (
  creator: UserRecord,
  parts: OrganizationParts,
  link: MadeInOrganization,
): boolean =>
  parts.organization?.state === 'active' &&
  listPermissionsOf(creator, parts, link).includes(neededInOrganization)

type LinkOf = Pick<AccessLinkRecord, 'createdBy' | 'organization' | 'joining'>

/** Whether each link works now, as far as its creator and its organization decide. `creators` has those that exist. */
export const findShared = async (
  services: Services,
  links: readonly LinkOf[],
  creators: ReadonlyMap<number, UserRecord>,
): Promise<readonly boolean[]> => {
  const known = [...new Set(links.flatMap(({ createdBy }) => creators.get(createdBy) ?? []))]
  const [sharers, parts] = await Promise.all([
    findSharers(services, known),
    readLinkOrganizations(services.table, links),
  ])
  return links.map((link, at) => {
    const { createdBy } = link
    const creator = creators.get(createdBy)
    const place = parts[at]
    return creator !== undefined && sharers.has(createdBy) && (!place || canShareFor(creator, place, link))
  })
}
