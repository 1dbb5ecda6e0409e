import * as z from 'zod/mini'
import { adminWithScope } from '../access.ts'
import { AuditEvent } from '../models/audit-events.ts'
import { givenDateTime } from '../models/fields.ts'
import { defineOperation } from '../operation.ts'
import { ordering, paging, queryId, queryText } from '../query.ts'

export const audit = {
  getAuditEvents: defineOperation({
    id: 'get_audit_events',
    group: 'audit',
    method: 'GET',
    path: '/api/2/auth/audit-events',
    access: adminWithScope('audit-events:view'),
    summary: 'List audit events, newest first',
    query: z.strictObject({
      user: z.optional(queryId),
      actor: z.optional(queryId),
      event: z.optional(queryText),
      since: z.optional(givenDateTime),
      until: z.optional(givenDateTime),
      ordering: ordering(['created_at'], '-created_at'),
      ...paging,
    }),
    responses: { 200: z.array(AuditEvent) },
  }),
}
