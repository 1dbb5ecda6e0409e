import { auditEvents } from '../../lib/contract/audit-events.ts'
import { auditRetentionMs } from '../../lib/limits/limits.ts'
import { describeDuration } from '../../lib/util/describe-duration.ts'
import { code, markdownTable, page } from './markdown.ts'

export const auditEventsPage = (): string =>
  page(
    'Audit events',
    `Every change writes its audit event in the same transaction. Refused requests are recorded as well. Events are kept
for ${describeDuration(auditRetentionMs)}. [Integrate](../integrate.md#follow-the-audit-events) shows how to read and subscribe to them.`,
    `\`user\` is the affected account, and \`actor\` is the user who acted. \`target\` and \`outcome\` depend on the event.
\`ip\` and \`request_id\` identify the request. \`outcome\` is \`succeeded\` unless the
table says otherwise. \`count\` is the number of refusals since the previous event of this kind and network.`,
    markdownTable(
      ['event', 'meaning'],
      Object.entries(auditEvents).map(([name, meaning]) => [code(name), meaning]),
    ),
  )
