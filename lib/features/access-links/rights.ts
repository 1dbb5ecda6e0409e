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
export const requireVisibleToken = async (
  services: Services,
  principal: Principal,
  id: number,
): Promise<AccessLinkRecord> => {
  const token = await findAccessLink(services.table, id)
  if (!token || !(await canSeeLink(services, principal, token))) throw notFound('access link')
  return token
}

/**
 * For operations of the creator and administrators.
 *
 * @throws AppError `not_found` like `requireVisibleToken`, `permission_denied` for the recipient
 */
export const requireManageableToken = async (
  services: Services,
  principal: Principal,
  id: number,
): Promise<AccessLinkRecord> => {
  const token = await requireVisibleToken(services, principal, id)
  const isCreator = token.createdBy === principal.user.id && !principal.session?.accessLink
  if (!isCreator && !(await canSeeAllLinks(services, principal)))
    throw new AppError('permission_denied', {
      detail: 'Only the creator of the link or an administrator may do this.',
    })
  return token
}

const canSeeLink = async (
  services: Services,
  principal: Principal,
  token: AccessLinkRecord,
): Promise<boolean> => {
  const { user, session } = principal
  if (session?.accessLink) return token.id === session.accessLink.id
  return (
    token.createdBy === user.id ||
    token.user === user.id ||
    (await canSeeAllLinks(services, principal)) ||
    (await hasReplaced(services, user, token.user))
  )
}

const hasReplaced = async ({ table }: Services, user: UserRecord, guestId: number): Promise<boolean> =>
  (await findUser(table, guestId))?.successorId === user.id

/** Whether the caller may see every access link. */
export const canSeeAllLinks = async ({ table }: Services, principal: Principal): Promise<boolean> =>
  !principal.session?.accessLink && (await isAdministrator(table, principal))
