import { impersonation } from '../../lib/contract/operations/impersonation.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { startImpersonation } from './start.ts'
import { stopImpersonation } from './stop.ts'

export const handler = createGroupHandler(impersonation, { startImpersonation, stopImpersonation })
