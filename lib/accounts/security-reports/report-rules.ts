import { securityReportLifetimeMs, undonePeriodsPerUser } from '../../limits/limits.ts'
import type { SecurityReportRecord } from '../../store/records/security-report-record.ts'
import type { SecurityReportState, UserRecord } from '../../store/records/user-record.ts'
import { isActive } from '../common/active-user.ts'

/**
 * Whether the link of a security email works. A used link works again, to complete what it started.
 *
 * A report ends the links about later changes, because it undid those changes. Links about earlier changes still work.
 * Otherwise a thief could change the email address, report a change of their own from their mailbox, and so end the link
 * that the victim got before.
 */
export const isReportUsable = (report: SecurityReportRecord, user: UserRecord, nowMs: number): boolean => {
  if (nowMs >= report.expiresAt || !isActive(user, nowMs)) return false
  if (report.result) return true
  const { endedUntil, undone = [] } = user.securityReports ?? { endedUntil: 0 }
  if (report.changedAt <= endedUntil) return false
  return !undone.some(({ from, to }) => report.changedAt >= from && report.changedAt <= to)
}

/** The state of the links after a report. Periods before the oldest link that can still work are left out. */
export const buildReportState = (
  { changedAt }: SecurityReportRecord,
  { securityReports }: UserRecord,
  nowMs: number,
): SecurityReportState => {
  const { endedUntil, undone = [] } = securityReports ?? { endedUntil: 0 }
  const recent = undone.filter(({ to }) => to > nowMs - securityReportLifetimeMs)
  return { endedUntil, undone: [{ from: changedAt, to: nowMs }, ...recent].slice(0, undonePeriodsPerUser) }
}
