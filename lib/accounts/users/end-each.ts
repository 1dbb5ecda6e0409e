import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { wasCommitted } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import type { RestOfEnd } from './holding-row.ts'
import type { FindRevoked } from './leak-row.ts'
import { disownAll } from './revoked-credentials.records.ts'
import type { UserRecord } from './stored-user.records.ts'

/** Ends all that a report could end of a user, whenever it was made. */
export const endEach =
  (find: FindRevoked) =>
  async (services: Services, user: UserRecord, { context, isInTime }: RestOfEnd): Promise<void> => {
    for (const remove of await find(services, disownAll(user))) {
      if (!isInTime()) return
      await retryConflicts(() => wasCommitted(remove(services, context)), keepsChanging)
    }
  }

const keepsChanging = 'What the user holds kept changing. Send the request again.'
