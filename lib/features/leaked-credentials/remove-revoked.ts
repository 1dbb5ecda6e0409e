import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { forgetRevokedPeriod } from '../../accounts/users/revoked-credentials.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { revokedCleanUpMs } from '../../kernel/limits/limits.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { wasCommitted } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { revokedCredentials as kinds } from '../reports.ts'

export const stillChanging = 'The account kept changing. Use the link again to complete the report.'

/** Does the same after a change that succeeded. A failure is only logged, because these credentials do not work. */
export const tryRemoveRevokedCredentials = async (
  services: Services,
  user: UserRecord,
  context: RequestContext,
): Promise<void> => {
  try {
    await removeRevokedCredentials(services, user, context)
  } catch (error) {
    services.log.error('user.credentials_not_removed', {
      request_id: context.requestId,
      user: user.id,
      error,
    })
  }
}

/**
 * Deletes the credentials that a report revoked, for a limited time. The rest does not work either, and another use of
 * the same link continues.
 */
export const removeRevokedCredentials = async (
  services: Services,
  user: UserRecord,
  context: RequestContext,
): Promise<void> => {
  const { revokedCredentials } = user
  if (!revokedCredentials) return
  const endsAt = services.now() + revokedCleanUpMs
  for (const findRevoked of Object.values(kinds))
    for (const remove of await findRevoked(services, user)) {
      if (services.now() >= endsAt) return
      await retryConflicts(() => wasCommitted(remove(services, context)), stillChanging)
    }
  await forgetRevokedPeriod(services.table, user.id, revokedCredentials)
}
