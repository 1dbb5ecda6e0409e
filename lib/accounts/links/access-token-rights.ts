import { AppError, notFound } from '../../core/errors.ts'
import type { Services } from '../../services.ts'
import { findAccessToken } from '../../store/links/access-tokens.ts'
import type { AccessTokenRecord } from '../../store/records/access-token-record.ts'
import type { Principal } from '../common/principal.ts'
import { isAdministrator } from '../directory/admin-rights.ts'

/*
 * Creator and recipient see a token, and administrators do. A session that a link has opened stands for that link
 * alone: whoever was passed one link must not find there all others that its recipient was sent.
 */

/** @throws AppError `not_found` for a token that is not there, and for one that is not the caller's to see. */
export const requireVisibleToken = async (
  services: Services,
  principal: Principal,
  id: number,
): Promise<AccessTokenRecord> => {
  const token = await findAccessToken(services.table, id)
  if (!token || !(await maySee(services, principal, token))) throw notFound()
  return token
}

/**
 * The same for what only creators and administrators may do.
 *
 * @throws AppError `permission_denied` for the recipient, who knows that the token is there.
 */
export const requireManageableToken = async (
  services: Services,
  principal: Principal,
  id: number,
): Promise<AccessTokenRecord> => {
  const token = await requireVisibleToken(services, principal, id)
  const isCreator = token.createdBy === principal.user.id && !principal.session?.accessToken
  if (!isCreator && !(await canSeeAllLinks(services, principal)))
    throw new AppError('permission_denied', { detail: 'Only its creator or an administrator may do this.' })
  return token
}

const maySee = async (
  services: Services,
  principal: Principal,
  token: AccessTokenRecord,
): Promise<boolean> => {
  const { user, session } = principal
  if (session?.accessToken) return token.id === session.accessToken.id
  return token.createdBy === user.id || token.user === user.id || (await canSeeAllLinks(services, principal))
}

/** Whether every token is this caller's to see. */
export const canSeeAllLinks = async ({ table }: Services, { user, session }: Principal): Promise<boolean> =>
  !session?.accessToken && (await isAdministrator(table, user))
