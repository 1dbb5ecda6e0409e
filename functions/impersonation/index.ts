import { impersonation } from '../../lib/contract/operations/impersonation.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { notImplemented } from '../../lib/http/use-case.ts'

export const handler = handlerFor(impersonation, {
  startImpersonation: notImplemented,
  stopImpersonation: notImplemented,
})
