import type { Principal } from '../../accounts/callers/principal.ts'
import { requireUser } from '../../accounts/users/require-records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { project } from '../../kernel/contract/projection.ts'
import { AppError, requireFound } from '../../kernel/errors/errors.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { isAdministrator, requireRightToChange } from '../directory/rights/account-rights.ts'
import type { APIToken } from './models.ts'
import { type ApiTokenRecord, findApiTokens } from './records.ts'

/** Returns a token of a user. @throws AppError `not_found` if the user has no token with this ID. */
export const requireToken = async (
  { table }: Services,
  userId: number,
  id: number,
): Promise<ApiTokenRecord> =>
  requireFound(
    (await findApiTokens(table, userId)).find((token) => token.id === id),
    'API token',
  )

/** Builds the body of a token, without its value. */
export const toTokenBody = (token: ApiTokenRecord): APIToken => ({
  ...project(['id', 'name', 'scopes'], token),
  expires: formatTime(token.expiresAt ?? null),
  created_at: formatTime(token.createdAt),
  last_used_at: formatTime(token.lastUsedAt),
})

/**
 * Returns the ID of the user whose tokens a request is about: the caller, or, for administrators, the user that the
 * query names.
 *
 * @throws AppError `permission_denied` for another user, unless the caller is an administrator
 */
export const requireTokenOwner = async (
  { table }: Services,
  principal: Principal,
  given: number | undefined,
): Promise<number> => {
  if (given === undefined || given === principal.user.id) return principal.user.id
  if (!(await isAdministrator(table, principal)))
    throw new AppError('permission_denied', {
      detail: 'Only a holder of `system:admin-access` may see or delete API tokens of other users.',
    })
  return given
}

/**
 * Returns the user whose token a request deletes. The API token of an administrator cannot delete API tokens of other
 * administrators.
 *
 * @throws AppError `permission_denied` as above, and `not_found` when the user does not exist
 */
export const requireChangeableTokenOwner = async (
  services: Services,
  principal: Principal,
  given: number | undefined,
): Promise<UserRecord> => {
  const id = await requireTokenOwner(services, principal, given)
  if (id === principal.user.id) return principal.user
  const owner = await requireUser(services.table, id)
  await requireRightToChange(services, principal, owner)
  return owner
}
