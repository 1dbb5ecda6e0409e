import type { RequestContext } from '../../lib/accounts/common/request-context.ts'
import type { Services } from '../../lib/services.ts'

/** The context of the audit events of an import. */
export const createImportContext = (services: Services, requestId: string): RequestContext => ({
  ...{ address: 'command line', userAgent: '', actor: null },
  requestId,
  at: services.now(),
})
