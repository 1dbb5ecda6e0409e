import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import type { CleanUp } from '../../../accounts/users/account-row.ts'
import type { UserRecord } from '../../../accounts/users/stored-user.records.ts'
import { deleteFormerGuests, findFormerGuestIds } from '../../../accounts/users/successors.records.ts'
import type { Services } from '../../../services.ts'
import { accountCleanUps } from '../../account-clean-ups.ts'
import { buildAdminAccessSteps } from '../rights/admin-access-steps.ts'
import { cleanUpDeletedUser } from './clean-up-user.ts'
import { buildDeletedUserStep, deleteUser, type UserCondition } from './delete-user.records.ts'

/**
 * Deletes a user and everything that depends on them, including access links that they created or received. All of it
 * stops working with the first write, so a failed cleanup is only logged.
 *
 * @throws EditConflict if the user was changed or deleted since, or does not fulfil the condition.
 * @throws LastAdmin if no administrator would be left.
 */
export const deleteAccount = async (
  services: Services,
  user: UserRecord,
  context: RequestContext,
  condition?: UserCondition,
): Promise<void> => {
  const steps = [
    buildDeletedUserStep(user, services.now() + services.config.auditRetentionMs),
    auditStep(context, 'user.deleted', { user: user.id }),
    ...buildAdminAccessSteps(context, user.permissions, [], { user: user.id, name: user.username }),
  ]
  await deleteUser(services.table, user, steps, condition)
  try {
    await cleanUpAccount(services, user.id, context)
  } catch (error) {
    services.log.error('user.not_cleared', { request_id: context.requestId, user: user.id, error })
  }
}

/** Removes what remains of a deleted user, and of the guests whom the user replaced. Returns whether anything remained. */
export const cleanUpAccount = async (
  services: Services,
  userId: number,
  context: RequestContext,
): Promise<boolean> => {
  const guestIds = await findFormerGuestIds(services.table, userId)
  for (const guestId of guestIds) await cleanUpElsewhere(services, guestId, context)
  await deleteFormerGuests(services.table, guestIds)
  // A merge that was interrupted left something.
  for (const guestId of guestIds) await cleanUpDeletedUser(services.table, guestId, context)
  const hadItems = await cleanUpDeletedUser(services.table, userId, context)
  const hadMore = await cleanUpElsewhere(services, userId, context)
  return hadItems || hadMore
}

const cleanUpElsewhere: CleanUp = async (services, userId, context) => {
  let hadAny = false
  for (const cleanUp of accountCleanUps) hadAny = (await cleanUp(services, userId, context)) || hadAny
  return hadAny
}
