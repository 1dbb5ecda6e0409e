import type { Principal } from '../../accounts/callers/principal.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError, notFound } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import { isAdministrator } from '../directory/rights/account-rights.ts'
import type { AccessLinkRecord } from './link.records.ts'
import { findAccessLink } from './records.ts'

/*
 * The creator, the recipient and administrators see an access link. A session that a link opened sees that link only:
 * a person who got one link must not find all other links of its recipient.
 */

/** @throws AppError `not_found` for a missing access link, and for one that the caller may not see */
export const requireVisibleLink = async (
  services: Services,
  principal: Principal,
  id: number,
): Promise<AccessLinkRecord> => {
  const link = await findAccessLink(services.table, id)
  if (!link || !(await canSeeLink(services, principal, link))) throw notFound('access link')
  return link
}

/**
 * For operations of the creator and administrators.
 *
 * @throws AppError `not_found` like `requireVisibleLink`, `permission_denied` for the recipient
 */
export const requireManageableLink = async (
  services: Services,
  principal: Principal,
  id: number,
): Promise<AccessLinkRecord> => {
  const link = await requireVisibleLink(services, principal, id)
  const isCreator = link.createdBy === principal.user.id && !principal.session?.accessLink
  if (!isCreator && !(await canSeeAllLinks(services, principal)))
    throw new AppError('permission_denied', {
      detail: 'Only the creator of the link or an administrator may do this.',
    })
  return link
}

const canSeeLink = async (
  services: Services,
  principal: Principal,
  link: AccessLinkRecord,
): Promise<boolean> => {
  const { user, session } = principal
  if (session?.accessLink) return link.id === session.accessLink.id
  return (
    link.createdBy === user.id ||
    link.user === user.id ||
    (await canSeeAllLinks(services, principal)) ||
    (await hasReplaced(services, user, link.user))
  )
}

const hasReplaced = async ({ table }: Services, user: UserRecord, guestId: number): Promise<boolean> =>
  (await findUser(table, guestId))?.successorId === user.id

/** Whether the caller may see every access link. */
export const canSeeAllLinks = async ({ table }: Services, principal: Principal): Promise<boolean> =>
  !principal.session?.accessLink && (await isAdministrator(table, principal))
