import { audit } from '../../lib/contract/operations/audit.ts'
import { createHandler } from '../../lib/http/handler.ts'
import { getAuditEvents } from './list.ts'

export const handler = createHandler(audit, { getAuditEvents })
