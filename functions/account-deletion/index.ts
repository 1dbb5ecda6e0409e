import type { Context } from 'aws-lambda'
import { createServices } from '../../lib/services.ts'
import { type DeletionSummary, deleteDueAccounts } from './delete-due-accounts.ts'

const services = createServices(process.env)

/** Deletes the accounts whose users asked for it, when their time has come. A schedule runs it once a day. */
export const handler = async (
  _event: unknown,
  context: Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'>,
): Promise<DeletionSummary> => {
  const summary = await deleteDueAccounts(
    services,
    {
      address: 'schedule',
      userAgent: '',
      requestId: context.awsRequestId,
      actor: null,
      at: services.now(),
    },
    context,
  )
  services.log.info('account_deletion.done', { ...summary })
  return summary
}
