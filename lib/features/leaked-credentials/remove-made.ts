import { wasCommitted } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../access/request-context.ts'
import { retryConflicts } from '../access/retry-conflicts.ts'
import type { UserRecord } from '../directory/user.records.ts'
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
