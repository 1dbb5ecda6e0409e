import { mapInBatches } from '../../lib/core/map-in-batches.ts'
import type { Services } from '../../lib/services.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import { isPresent } from '../../lib/store/engine/expressions.ts'
import { sessionKey } from '../../lib/store/engine/keys.ts'
import { wasCommitted } from '../../lib/store/engine/transaction-errors.ts'
import { buildSessionLogoutSteps } from '../../lib/store/records/logout-job-record.ts'
import { readSessionPages } from '../../lib/store/sign-in/sessions.ts'

/** Written at the same time. All of them are in the partition of one user. */
const sessionsAtOnce = 10

/**
 * Deletes the ended sessions of a user that have clients, each with a new job to inform them. A new epoch of the user or
 * their deletion ended these sessions. Another run continues if this one stops.
 */
export const queueEndedSessions = async ({ table }: Services, userId: number): Promise<void> => {
  const user = await findUser(table, userId)
  for await (const sessions of readSessionPages(table, userId)) {
    const ended = sessions.filter(
      ({ credentialEpoch, oidcClients }) =>
        oidcClients && credentialEpoch < (user?.credentialEpoch ?? Number.POSITIVE_INFINITY),
    )
    await mapInBatches(ended, sessionsAtOnce, (session) =>
      // A session without an item was ended, and its clients informed, by another function.
      wasCommitted(
        table.transact([
          { delete: sessionKey(userId, session.hash), condition: isPresent },
          ...buildSessionLogoutSteps(session),
        ]),
      ),
    )
  }
}
