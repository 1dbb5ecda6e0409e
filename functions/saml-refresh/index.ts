import type { Context } from 'aws-lambda'
import { createServices } from '../../lib/services.ts'
import { type RefreshSummary, refreshAllProviders } from './refresh-all.ts'

const services = createServices(process.env)

/** Refreshes all SAML providers. A schedule runs it once a day. */
export const handler = async (
  _event: unknown,
  context: Pick<Context, 'awsRequestId'>,
): Promise<RefreshSummary> => {
  const summary = await refreshAllProviders(services, {
    address: 'schedule',
    userAgent: '',
    requestId: context.awsRequestId,
    actor: null,
    at: services.now(),
  })
  services.log.info('saml_refresh.done', { ...summary })
  return summary
}
