import type { Services } from '../../services.ts'
import { grants, selectGroupPermissions } from '../access/permissions.ts'
import { isActive } from '../directory/account-state.ts'
import { findGroups } from '../directory/groups.records.ts'
import type { UserRecord } from '../directory/user.records.ts'

/*
 * A link works only as long as its creator may create links. So a disabled account, or one that lost the permission,
 * shares nothing any more. The links work again once the creator gets it back.
 */

const needed = 'media:access'

/** The IDs of those creators whose links work now. Groups are read together, and only if they decide. */
export const findSharers = async (
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

/** Whether the links of this creator work now. False for a deleted one. */
export const canShare = async (services: Services, creator: UserRecord | undefined): Promise<boolean> =>
  creator !== undefined && (await findSharers(services, [creator])).size > 0
