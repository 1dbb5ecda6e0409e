import type { Context } from 'aws-lambda'
import { buildScheduleContext, type RequestContext } from '../../../accounts/callers/request-context.ts'
import {
  forgetDeletion,
  isDeletionOf,
  readDueDeletions,
} from '../../../accounts/users/account-deletions.records.ts'
import { findUser } from '../../../accounts/users/find-users.records.ts'
import type { Services } from '../../../services.ts'
import { sendDelayedInvitations } from '../../organizations/delayed-invitations.job.ts'
import { deleteDueOrganizations } from '../../organizations/ending.job.ts'
import { findSignInPolicy } from '../../sign-in/policy.records.ts'
import { cleanUpAccount, deleteAccount } from './delete-account.ts'

/**
 * Deletes the accounts whose users asked for it, and the organizations whose owners did, when their time has come. Then it ends what
 * belonged to deleted organizations, recounts members once a day, and resumes the emails of invitations that waited. A schedule runs it
 * each hour.
 */
export const createDeletionJob =
  (services: Services) =>
  async (
    _event: unknown,
    lambda: Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'>,
  ): Promise<DeletionSummary> => {
    const context = buildScheduleContext(services.now(), lambda.awsRequestId)
    const summary = await deleteDueAccounts(services, context, lambda)
    services.log.info('account_deletion.done', { ...summary })
    const hasTime = () => lambda.getRemainingTimeInMillis() >= reserveMs
    const organizations = await deleteDueOrganizations(services, context, hasTime)
    services.log.info('organization_ending.done', { ...organizations })
    const { cleanUpDeletedOrganizations } = await import('../../organizations/clean-up.job.ts')
    const leftovers = await cleanUpDeletedOrganizations(services, context, hasTime)
    services.log.info('organization_clean_up.done', { ...leftovers })
    const { recountOrganizations } = await import('../../organizations/recount.job.ts')
    services.log.info('organization_recount.done', {
      ...(await recountOrganizations(services, context, hasTime)),
    })
    const invitations = await sendDelayedInvitations(services, context, hasTime)
    services.log.info('organization_invitations.done', { ...invitations })
    return summary
  }

interface DeletionSummary {
  readonly deleted: number
  /** Accounts that stay for now: they are disabled, the policy changed, or something failed. */
  readonly kept: number
}

/** A new deletion begins only with this much time left. The next run continues. */
const reserveMs = 10_000

/**
 * Deletes accounts as their users asked. An account that cannot be deleted, such as that of the last administrator, does not
 * affect the others. Someone may need a disabled account as it is, so it stays.
 */
const deleteDueAccounts = async (
  services: Services,
  context: RequestContext,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<DeletionSummary> => {
  const { table } = services
  const policy = (await findSignInPolicy(table))?.policy
  const isAllowed = policy?.account_deletion === 'after_grace'
  let [deleted, kept] = [0, 0]
  for await (const due of readDueDeletions(table, services.now())) {
    if (getRemainingTimeInMillis() < reserveMs) break
    try {
      const user = await findUser(table, due.id)
      const isAsked = user !== undefined && user.successorId === undefined && isDeletionOf(due, user)
      if (isAsked && !(isAllowed && user.is_enabled)) {
        kept++
        continue
      }
      if (isAsked) {
        await deleteAccount(services, user, context)
        deleted++
      }
      // Also of a user whom an administrator deleted.
      if (isAsked || !user)
        while (await cleanUpAccount(services, due.id, context))
          if (getRemainingTimeInMillis() < reserveMs) return { deleted, kept }
      await forgetDeletion(table, due)
    } catch (error) {
      services.log.error('account_deletion.failed', { user: due.id, error })
      kept++
    }
  }
  return { deleted, kept }
}
