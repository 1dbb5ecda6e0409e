import type { SecurityChangeKind } from '../../contract/security-changes.ts'
import { reportClockToleranceMs } from '../../limits/limits.ts'
import { getTimeStep } from '../../secrets/totp.ts'
import { buildRevokeCredentialsChange } from '../../store/records/revoked-credentials.ts'
import type {
  SecurityReportRecord,
  SecurityReportResult,
} from '../../store/records/security-report-record.ts'
import type { UserChanges, UserRecord } from '../../store/records/user-record.ts'
import { canResetPassword } from '../passwords/reset-tokens.ts'
import { buildReportState } from './report-rules.ts'

/** These changes require the password, or prove that someone knows it. */
const passwordChanges: readonly SecurityChangeKind[] = [
  'new_device',
  'recovery_code_used',
  'second_factor_disabled',
]

/** How a report changes its user. */
export interface Undo {
  readonly changes: UserChanges
  readonly result: SecurityReportResult
}

/**
 * Decides what a report undoes: everything since the reported change. Credentials that are items of their own are
 * revoked by the period, and deleted afterwards.
 */
export const planUndo = (
  report: SecurityReportRecord,
  user: UserRecord,
  { nowMs, canRestoreEmail }: { readonly nowMs: number; readonly canRestoreEmail: boolean },
): Undo => {
  // The clocks of two servers differ a little.
  const from = report.changedAt - reportClockToleranceMs
  const isSince = (at: number | undefined): boolean => at !== undefined && at >= from
  const { email, normalizedEmail } = report
  const isEmailRestored = canRestoreEmail && user.normalizedEmail !== normalizedEmail
  const isPasswordInvalidated =
    user.passwordHash !== null && (passwordChanges.includes(report.change) || isSince(user.passwordChangedAt))
  const changes: UserChanges = {
    ...undoSecondFactor(user, isSince, nowMs),
    ...(report.change === 'passkey_required' && user.passkeys
      ? { passkeys: { ...user.passkeys, isSecondFactor: false } }
      : {}),
    ...(isEmailRestored ? { email, normalizedEmail, emailVerified: undefined } : {}),
    // The thief may have asked for another address and not confirmed it yet.
    ...{ pendingEmail: undefined, emailConfirmation: undefined },
    // Without a password, even users who may not change it have to choose one.
    ...(isPasswordInvalidated ? { passwordHash: null, passwordChangeRequired: true } : {}),
    ...buildRevokeCredentialsChange(user, { from, to: nowMs }),
    securityReports: buildReportState(report, user, nowMs),
  }
  const isResetEmailSent =
    user.passwordHash !== null && canResetPassword({ ...user, email, ...changes }, nowMs)
  return { changes, result: { isEmailRestored, isPasswordInvalidated, isResetEmailSent } }
}

/**
 * Removes a second factor that was turned on, or the recovery codes that replaced earlier ones. Writing the second factor
 * could make a code work again that is used at the same time, so all codes up to now count as used.
 */
const undoSecondFactor = (
  { totp }: UserRecord,
  isSince: (at: number | undefined) => boolean,
  nowMs: number,
): Pick<UserChanges, 'totp'> => {
  if (!totp || isSince(totp.enabledAt)) return totp ? { totp: null } : {}
  if (!isSince(totp.codesRenewedAt)) return {}
  const lastStep = Math.max(totp.lastStep, getTimeStep(nowMs) + totp.driftSteps + 1)
  return { totp: { ...totp, recoveryCodes: {}, lastStep } }
}
