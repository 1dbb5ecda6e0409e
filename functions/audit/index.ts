import { audit } from '../../lib/contract/operations/audit.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { getAuditEvents } from './list.ts'

export const handler = createGroupHandler(audit, { getAuditEvents })
