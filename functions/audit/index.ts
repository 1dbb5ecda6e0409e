import { audit } from '../../lib/contract/operations/audit.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { getAuditEvents } from './list.ts'

export const handler = handlerFor(audit, { getAuditEvents })
