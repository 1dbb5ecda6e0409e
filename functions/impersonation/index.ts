import { impersonation } from '../../lib/contract/operations/impersonation.ts'
import { createHandler } from '../../lib/http/handler.ts'
import { startImpersonation } from './start.ts'
import { stopImpersonation } from './stop.ts'

export const handler = createHandler(impersonation, { startImpersonation, stopImpersonation })
