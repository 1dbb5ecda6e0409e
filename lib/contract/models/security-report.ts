import * as z from 'zod/mini'
import { flag, nonEmptyText } from './fields.ts'

export const SecurityReportRequest = z.strictObject({ token: nonEmptyText })
export type SecurityReportRequest = z.output<typeof SecurityReportRequest>

/** What a report did besides ending all sessions and removing what was added since the reported change. */
export const SecurityReportResult = z.strictObject({
  email_restored: flag,
  password_invalidated: flag,
  reset_email_sent: flag,
})
export type SecurityReportResult = z.output<typeof SecurityReportResult>
