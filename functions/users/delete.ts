import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { requireRightToChange } from '../../lib/accounts/directory/account-rights.ts'
import { buildAdminAccessAuditSteps } from '../../lib/accounts/directory/admin-access-audit.ts'
import { deleteLinksOf } from '../../lib/accounts/links/delete-link.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { notFound } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import { cleanUpDeletedUser, deleteUser as deleteStoredUser } from '../../lib/store/directory/delete-user.ts'
import { buildDeletedUserStep } from '../../lib/store/directory/deleted-users.ts'
import { findUser } from '../../lib/store/directory/users.ts'

/**
 * Deletes a user with all that hangs on it, the links that it made or was given among it. Nothing of that works from the
 * first write on; so that is what the answer tells, should the rest fail. Once more, it finishes what was interrupted.
 */
export const deleteUser: UseCase<typeof users.deleteUser> = async (
  { params, principal, context },
  services,
) => {
  const { table } = services
  const user = await findUser(table, params.id)
  if (!user) {
    if (!(await clearAway(services, params.id, context))) throw notFound()
    return { status: 204 }
  }
  await requireRightToChange(services, principal.user, user)
  await deleteStoredUser(table, user, [
    buildDeletedUserStep(user, services.now()),
    auditStep(context, 'user.deleted', { user: user.id }),
    ...buildAdminAccessAuditSteps(context, user.permissions, [], { user: user.id }),
  ])
  try {
    await clearAway(services, user.id, context)
  } catch (error) {
    services.log.error('user.not_cleared', { request_id: context.requestId, user: user.id, error })
  }
  return { status: 204 }
}

/** Returns whether there was anything to clear away. */
const clearAway = async (services: Services, userId: number, context: RequestContext): Promise<boolean> => {
  const hadLeftovers = await cleanUpDeletedUser(services.table, userId)
  const hadLinks = await deleteLinksOf(services, userId, context)
  return hadLeftovers || hadLinks
}
