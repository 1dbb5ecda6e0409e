import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { requireProofForRights, requireRightToChange } from '../../lib/accounts/directory/account-rights.ts'
import { buildAdminAccessSteps } from '../../lib/accounts/directory/admin-access-steps.ts'
import { deleteLinksOf } from '../../lib/accounts/links/delete-link.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { notFound } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import {
  buildDeletedUserStep,
  cleanUpDeletedUser,
  deleteUser as deleteStoredUser,
} from '../../lib/store/directory/delete-user.ts'
import { deleteFormerGuests, findFormerGuestIds } from '../../lib/store/directory/successors.ts'
import { findUser } from '../../lib/store/directory/users.ts'

/**
 * Deletes a user and everything that depends on them, including access links that they created or received. All of it
 * stops working with the first write, so the request succeeds even if the cleanup fails. Repeating it resumes the
 * cleanup.
 */
export const deleteUser: UseCase<typeof users.deleteUser> = async (
  { params, principal, context },
  services,
) => {
  const { table } = services
  const user = await findUser(table, params.id)
  if (!user || user.successorId !== undefined) {
    if (user || !(await cleanUp(services, params.id, context))) throw notFound()
    return { status: 204 }
  }
  await requireRightToChange(services, principal, user)
  await requireProofForRights(services, principal, [user])
  await deleteStoredUser(table, user, [
    buildDeletedUserStep(user, services.now() + services.config.auditRetentionMs),
    auditStep(context, 'user.deleted', { user: user.id }),
    ...buildAdminAccessSteps(context, user.permissions, [], { user: user.id, name: user.username }),
  ])
  try {
    await cleanUp(services, user.id, context)
  } catch (error) {
    services.log.error('user.not_cleared', { request_id: context.requestId, user: user.id, error })
  }
  return { status: 204 }
}

/** Removes what remains of a deleted user, and of the guests whom the user replaced. Returns whether anything remained. */
const cleanUp = async (services: Services, userId: number, context: RequestContext): Promise<boolean> => {
  const guestIds = await findFormerGuestIds(services.table, userId)
  for (const guestId of guestIds) await deleteLinksOf(services, guestId, context)
  await deleteFormerGuests(services.table, guestIds)
  // A merge that was interrupted left something.
  for (const guestId of guestIds) await cleanUpDeletedUser(services.table, guestId)
  const hadItems = await cleanUpDeletedUser(services.table, userId)
  const hadLinks = await deleteLinksOf(services, userId, context)
  return hadItems || hadLinks
}
