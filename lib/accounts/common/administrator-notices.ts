import type { AdministratorChangeKind } from '../../contract/security-changes.ts'
import type { Services } from '../../services.ts'
import type { UserRecord } from '../../store/directory/user-record.ts'
import type { Step } from '../../store/engine/transaction.ts'
import { buildOutboxStep } from '../../store/mail/outbox.ts'
import { identifyDevice } from '../../util/user-agents.ts'
import { hasPermission } from './permissions.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Builds the step that queues one job to inform all administrators, for the transaction that makes the change. `name` is
 * the user or the group that the change is about.
 */
export const buildAdministratorNoticeStep = (
  context: RequestContext,
  change: AdministratorChangeKind,
  name: string,
): Step =>
  buildOutboxStep(
    {
      kind: 'administrators_notice',
      ...{ change, name, at: context.at, device: identifyDevice(context.userAgent) },
    },
    context,
    context.at,
  )

/** Builds the same for a change of how another user signs in. No step if the user is no administrator. */
export const buildSignInSetSteps = async (
  { table }: Services,
  context: RequestContext,
  user: UserRecord,
): Promise<readonly Step[]> =>
  (await hasPermission(table, user, 'system:admin-access'))
    ? [buildAdministratorNoticeStep(context, 'administrator_sign_in_set', user.username)]
    : []
