import { AppError } from '../../errors/errors.ts'
import { type Credential, parseCredential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { NotUnique } from '../../store/directory/not-unique.ts'
import { editUserEndingSessions } from '../../store/directory/users.ts'
import type { Step } from '../../store/engine/transaction.ts'
import { EditConflict } from '../../store/engine/transaction-errors.ts'
import { buildOutboxStep } from '../../store/records/outbox.ts'
import type {
  SecurityReportRecord,
  SecurityReportResult,
} from '../../store/records/security-report-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import {
  buildUseSecurityReportStep,
  findSecurityReportAndUser,
} from '../../store/sign-in/security-reports.ts'
import { countFailedLookup } from '../common/lookup-throttle.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { retryConflicts } from '../common/retry-conflicts.ts'
import { buildSecurityNoticeStep } from '../common/security-notices.ts'
import { removeRevokedCredentials } from './remove-revoked.ts'
import { isReportUsable } from './report-rules.ts'
import { planUndo, type Undo } from './undo-changes.ts'

/**
 * Undoes everything since the change that a security email was about. One transaction ends all sessions, tickets and
 * reset links, changes the user, and revokes the credentials that were added. Then their items are deleted.
 *
 * A repeated or parallel use changes nothing more. It completes what an earlier one started.
 *
 * @throws AppError `invalid_token`, `conflict` or `too_many_requests`
 */
export const reportChange = async (
  services: Services,
  value: string,
  context: RequestContext,
): Promise<SecurityReportResult> => {
  const credential = parseCredential(value)
  // Rejected without reading the table, so callers do not pay for mistyped values.
  if (credential?.kind !== 'security_report') throw new AppError('invalid_token')
  const { report, user } = await useReport(services, credential, context)
  await removeRevokedCredentials(services, user, context)
  return report.result ?? { isEmailRestored: false, isPasswordInvalidated: false, isResetEmailSent: false }
}

interface FoundReport {
  readonly report: SecurityReportRecord
  readonly user: UserRecord
}

const useReport = async (
  services: Services,
  credential: Credential,
  context: RequestContext,
): Promise<FoundReport> => {
  let canRestoreEmail = true
  return retryConflicts(async () => {
    const found = await findReport(services, credential)
    if (!found) {
      await countFailedLookup(services, context)
      throw new AppError('invalid_token')
    }
    const { report, user } = found
    if (report.result) return found
    const undo = planUndo(report, user, { nowMs: services.now(), canRestoreEmail })
    try {
      const edited = await editUserEndingSessions(services.table, user, undo.changes, {
        extraSteps: buildSteps(services, found, undo, context),
      })
      return { report: { ...report, result: undo.result }, user: edited }
    } catch (error) {
      // Another account has the address now. Everything else is undone.
      if (!(error instanceof NotUnique)) throw error
      canRestoreEmail = false
      throw new EditConflict()
    }
  }, 'The account kept changing while the report was processed. Try again.')
}

const findReport = async (
  { table, now }: Services,
  { subject, hash }: Credential,
): Promise<FoundReport | undefined> => {
  const { report, user } = await findSecurityReportAndUser(table, subject, hash)
  return report && user && isReportUsable(report, user, now()) ? { report, user } : undefined
}

const buildSteps = (
  services: Services,
  { report, user }: FoundReport,
  { changes, result }: Undo,
  context: RequestContext,
): readonly Step[] => {
  const job = { kind: 'password_reset', userId: user.id, to: report.email } as const
  return [
    // Concurrent uses of the link conflict. The next attempt finds the result.
    buildUseSecurityReportStep(report, result, () => new EditConflict()),
    auditStep(context, 'security.reported', { user: user.id, target: report.change }),
    ...(changes.totp === null ? [auditStep(context, 'totp.disabled', { user: user.id })] : []),
    ...(result.isEmailRestored
      ? [
          auditStep(context, 'user.changed', { user: user.id, target: 'email' }),
          ...buildSecurityNoticeStep(services, context, user, { kind: 'email_restored' }),
        ]
      : []),
    ...(result.isResetEmailSent ? [buildOutboxStep(job, context, services.now())] : []),
  ]
}
