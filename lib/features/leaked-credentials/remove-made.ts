import type { RequestContext } from '../../accounts/callers/request-context.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { wasCommitted } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { revokedThings } from '../reports.ts'
import { stillChanging } from './remove-revoked.ts'

/** Ends what a user made for others in the period that they disowned. Repeating it ends the rest. */
export const removeMadeThings = async (
  services: Services,
  user: UserRecord,
  context: RequestContext,
): Promise<void> => {
  for (const find of Object.values(revokedThings))
    for (const remove of await find(services, user))
      await retryConflicts(() => wasCommitted(remove(services, context)), stillChanging)
}
