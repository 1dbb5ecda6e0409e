import { describeDuration } from '../../../core/describe-duration.ts'
import { auditRetentionMs } from '../../../core/limits.ts'
import { AuditEvent } from '../../models/audit-events.ts'
import type { audit } from '../../operations/audit.ts'
import type { OperationTexts } from '../describe.ts'
import { exampleOf } from '../example-of.ts'

export const auditTexts: OperationTexts<typeof audit> = {
  getAuditEvents: {
    description: `Lists who did what, and with what result: sign-ins, tickets, changes of users and settings, and refused requests. The
newest event comes first. All filters must match.

Events are kept for ${describeDuration(auditRetentionMs)}. Most appear at once. Refusals of the same kind can be combined into one event, whose \`count\`
is their number. To follow new events, remember the newest \`created_at\`, and request the events \`since\` then.`,
    parameters: {
      user: { description: 'Only events that affect the account of this user.', example: 7 },
      actor: {
        description: 'Only events that this user caused. During an impersonation, this is the administrator.',
        example: 1,
      },
      event: {
        description:
          'Only events with this name, such as `login.failed`. The name must be complete. An unknown name is a 400.',
        example: 'login.failed',
      },
      since: {
        description: 'Only events at or after this time, in ISO 8601.',
        example: '2026-11-01T00:00:00Z',
      },
      until: {
        description: 'Only events before this time, in ISO 8601.',
        example: '2026-12-01T00:00:00Z',
      },
    },
    responses: { 200: [{ summary: 'A sign-in', value: [exampleOf(AuditEvent)] }] },
  },
}
