import type { Services } from '../../lib/services.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import { replaceByLogoutJob } from '../../lib/store/oidc/logout-jobs.ts'
import { readSessionPages } from '../../lib/store/sign-in/sessions.ts'
import { mapInBatches } from '../../lib/util/map-in-batches.ts'

/** Written at the same time. All of them are in the partition of one user. */
const sessionsAtOnce = 10

/**
 * Replaces the ended sessions of a user that have clients by jobs to inform the clients. A new epoch of the user, or their
 * deletion, ended these sessions. Another run continues if this one stops.
 */
export const queueEndedSessions = async ({ table }: Services, userId: number): Promise<void> => {
  const user = await findUser(table, userId)
  const epoch = user?.credentialEpoch ?? Number.POSITIVE_INFINITY
  for await (const sessions of readSessionPages(table, userId)) {
    const ended = sessions.filter(
      ({ credentialEpoch, oidcClients }) => oidcClients && credentialEpoch < epoch,
    )
    await mapInBatches(ended, sessionsAtOnce, (session) => replaceByLogoutJob(table, session))
  }
}
