import type { SecurityReportRecord } from '../../store/records/security-report-record.ts'
import type { SecurityReportState, UserRecord } from '../../store/records/user-record.ts'
import { isActive } from '../common/active-user.ts'

/**
 * Whether the link of a security email works. A used link works again, to complete what it started.
 *
 * A report ends the links about later changes, because it undid those changes. It also ends all links in other
 * mailboxes, because their owner may be the thief. Links about earlier changes in the same mailbox still work, because
 * the thief may have made those changes, too.
 */
export const isReportUsable = (report: SecurityReportRecord, user: UserRecord, nowMs: number): boolean => {
  if (nowMs >= report.expiresAt || !isActive(user, nowMs)) return false
  if (report.result) return true
  const { endedUntil, latest } = user.securityReports ?? { endedUntil: 0 }
  if (report.changedAt <= endedUntil) return false
  if (!latest || report.changedAt > latest.at) return true
  return report.normalizedEmail === latest.normalizedEmail && report.changedAt < latest.since
}

/** The state of the links after a report. */
export const buildReportState = (
  { changedAt, normalizedEmail }: SecurityReportRecord,
  { securityReports }: UserRecord,
  nowMs: number,
): SecurityReportState => {
  const { endedUntil, latest } = securityReports ?? { endedUntil: 0 }
  return {
    endedUntil: latest && changedAt > latest.at ? latest.at : endedUntil,
    latest: { at: nowMs, since: changedAt, normalizedEmail },
  }
}
