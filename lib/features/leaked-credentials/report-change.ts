import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { countFailedLookup } from '../../accounts/callers/throttle.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildEmailState } from '../../accounts/names/email-confirmations.ts'
import { buildOutboxStep } from '../../accounts/outbox/outbox.records.ts'
import type { SecurityChangeKind } from '../../accounts/outbox/security-changes.models.ts'
import { buildOwnersNoticeStep, buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { addressSteps } from '../../accounts/users/address-event.ts'
import { findUsers } from '../../accounts/users/find-users.records.ts'
import { buildRevokeCredentialsChange } from '../../accounts/users/revoked-credentials.records.ts'
import type {
  SecurityReportState,
  UserChanges,
  UserRecord,
} from '../../accounts/users/stored-user.records.ts'
import { NotUnique } from '../../accounts/users/stored-user.records.ts'
import { editUserEndingSessions } from '../../accounts/users/write-users.records.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import {
  reportClockToleranceMs,
  securityReportLifetimeMs,
  undonePeriodsPerUser,
} from '../../kernel/limits/limits.ts'
import { type Credential, parseCredential } from '../../kernel/secrets/credentials.ts'
import { getTimeStep } from '../../kernel/secrets/totp.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import { groupBy } from '../../kernel/util/group-by.ts'
import type { Services } from '../../services.ts'
import { buildNoLinkByAddressStep } from '../connections/accounts.records.ts'
import {
  buildDeletePasskeySteps,
  countRemovedPasskeys,
  findPasskeys,
  type PasskeyRecord,
} from '../passkeys/records.ts'
import { canResetPassword } from '../passwords/reset-tokens.ts'
import { findAddressKeeper } from '../sign-in/required-sign-in.ts'
import { findMade } from './made.records.ts'
import { removeRevokedCredentials } from './remove-revoked.ts'
import {
  buildUseSecurityReportStep,
  findSecurityReportAndUser,
  isReportKept,
  type SecurityReportRecord,
  type SecurityReportResult,
} from './reports.records.ts'

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
  if (user.revokedCredentials) {
    const { removeMadeThings } = await import('./remove-made.ts')
    await removeMadeThings(services, user, context)
  }
  // Last, because it forgets the period.
  await removeRevokedCredentials(services, user, context)
  return report.result ?? { isEmailRestored: false, isPasswordInvalidated: false, isResetEmailSent: false }
}

interface FoundReport {
  readonly report: SecurityReportRecord
  readonly user: UserRecord
  /** All passkeys of the user. */
  readonly passkeys: readonly PasskeyRecord[]
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
    const { report, user, passkeys } = found
    if (report.result) return found
    // An earlier address would lead out of the required sign-in, and one of a thief must not lead in.
    const keeper = await findAddressKeeper(services, user, { normalizedEmail: report.normalizedEmail })
    const plan = isLate(report, services.now()) ? planLateUndo : planUndo
    const undo = plan(report, user, {
      nowMs: services.now(),
      canRestoreEmail: canRestoreEmail && !keeper,
      passkeys,
    })
    try {
      const edited = await editUserEndingSessions(services.table, user, undo.changes, {
        extraSteps: [
          ...buildSteps(services, found, undo, context),
          ...(isLate(report, services.now()) ? [] : await buildRoleNoticeSteps(services, found, context)),
          ...(keeper ? [buildNoLinkByAddressStep(user.id, keeper.id)] : []),
        ],
      })
      return { report: { ...report, result: undo.result }, user: edited, passkeys: [] }
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
  if (!report || !user || !isReportUsable(report, user, now())) return undefined
  const passkeys = user.passkeys?.count ? await findPasskeys(table, subject) : []
  const found = { report, user, passkeys }
  if (report.result || !isLate(report, now())) return found
  return listUnaskedSince(passkeys, report.changedAt - reportClockToleranceMs).length > 0 ? found : undefined
}

/** Whether the link only ends passkeys that a browser added without a question: see `isReportKept`. */
const isLate = ({ expiresAt }: SecurityReportRecord, nowMs: number): boolean => nowMs >= expiresAt

const buildSteps = (
  services: Services,
  { report, user }: FoundReport,
  { changes, result, endedPasskeys }: Undo,
  context: RequestContext,
): readonly Step[] => {
  const job = { kind: 'password_reset', userId: user.id, to: report.email } as const
  return [
    // Concurrent uses of the link conflict. The next attempt finds the result.
    buildUseSecurityReportStep(report, result, () => new EditConflict()),
    auditStep(context, 'security.reported', { user: user.id, target: report.change }),
    ...endedPasskeys.flatMap((passkey) => [
      ...buildDeletePasskeySteps(passkey, () => new EditConflict()),
      auditStep(context, 'passkey.removed', { user: user.id, target: String(passkey.id) }),
    ]),
    ...('deletion' in changes ? [auditStep(context, 'user.deletion_withdrawn', { user: user.id })] : []),
    ...(changes.totp === null ? [auditStep(context, 'totp.disabled', { user: user.id })] : []),
    ...(result.isEmailRestored
      ? [
          ...addressSteps(context, 'user.changed', {
            before: user,
            after: { email: report.email },
            target: 'email',
          }),
          ...buildSecurityNoticeStep(services, context, user, { kind: 'email_restored' }),
        ]
      : []),
    ...(result.isResetEmailSent ? [buildOutboxStep(job, context, services.now())] : []),
  ]
}

/** Informs the owners of organizations in which the user gave roles since the change. The roles stay until one of them decides. */
const buildRoleNoticeSteps = async (
  { table, now }: Services,
  { report, user }: FoundReport,
  context: RequestContext,
): Promise<readonly Step[]> => {
  const from = report.changedAt - reportClockToleranceMs
  const given = await findMade(table, user.id, 'membership', { from, to: now() })
  const shown = given.slice(-rolesShown)
  const users = await findUsers(
    table,
    shown.map(({ memberId }) => memberId),
  )
  const lines = groupBy(
    shown.map(({ organizationId, roles }, at) => ({
      organizationId,
      text: `${users[at]?.username ?? '–'}: ${roles.join(', ')}`,
    })),
    ({ organizationId }) => organizationId,
  )
  return [...lines].map(([organizationId, members]) =>
    buildOwnersNoticeStep(
      context,
      { change: 'organization_roles_reported', organizationId, name: user.username },
      { members: members.map(({ text }) => text), except: [user.id] },
    ),
  )
}

/** The most roles that the emails after a report show. An email has room for no more. */
const rolesShown = 20

/** These changes require the password, or prove that someone knows it. */
const passwordChanges: readonly SecurityChangeKind[] = [
  'new_device',
  'device_remembered',
  'recovery_code_used',
  'second_factor_disabled',
]

/** How a report changes its user. */
interface Undo {
  readonly changes: UserChanges
  readonly result: SecurityReportResult
  /** The passkeys that end with it, besides those of the revoked period. */
  readonly endedPasskeys: readonly PasskeyRecord[]
}

interface UndoOptions {
  readonly nowMs: number
  readonly canRestoreEmail: boolean
  readonly passkeys: readonly PasskeyRecord[]
}

/**
 * Decides what a report undoes: everything since the reported change. Credentials that are items of their own are
 * revoked by the period, and deleted afterwards.
 */
const planUndo = (
  report: SecurityReportRecord,
  user: UserRecord,
  { nowMs, canRestoreEmail, passkeys }: UndoOptions,
): Undo => {
  // The clocks of two servers differ a little. What created the user stays.
  const from = Math.max(report.changedAt - reportClockToleranceMs, user.createdAt + 1)
  const isSince = (at: number | undefined): boolean => at !== undefined && at >= from
  const { email, normalizedEmail } = report
  const isEmailRestored = canRestoreEmail && user.normalizedEmail !== normalizedEmail
  const wasPasswordKnown =
    passwordChanges.includes(report.change) ||
    isSince(user.passwordChangedAt) ||
    addedUnasked(report, passkeys)
  const isPasswordInvalidated = user.passwordHash !== null && wasPasswordKnown
  const endedPasskeys = listUnasked(passkeys).filter(
    ({ createdAt, isUnproven }) =>
      // The others end with the period.
      createdAt < from &&
      (isUnproven || (isPasswordInvalidated && createdAt >= (user.passwordChangedAt ?? 0))),
  )
  const kept = endedPasskeys.length > 0 ? countRemovedPasskeys(user, endedPasskeys) : user.passkeys
  const isOptional = report.change === 'passkey_required'
  const changes: UserChanges = {
    ...undoSecondFactor(user, isSince, nowMs),
    ...(kept && (isOptional || endedPasskeys.length > 0)
      ? { passkeys: isOptional ? { ...kept, isSecondFactor: false } : kept }
      : {}),
    ...(isEmailRestored ? { email, normalizedEmail, ...buildEmailState('link') } : {}),
    // The thief may have asked for another address and not confirmed it yet.
    pendingEmail: undefined,
    emailConfirmation: undefined,
    ...(isSince(user.deletion?.requestedAt) ? { deletion: undefined } : {}),
    // Without a password, even users who may not change it have to choose one.
    ...(isPasswordInvalidated ? { passwordHash: null, password_change_required: true } : {}),
    ...buildRevokeCredentialsChange(user, { from, to: nowMs }),
    securityReports: buildReportState(report, user, nowMs),
  }
  const isResetEmailSent =
    user.passwordHash !== null && canResetPassword({ ...user, email, ...changes }, nowMs)
  return { changes, result: { isEmailRestored, isPasswordInvalidated, isResetEmailSent }, endedPasskeys }
}

/**
 * Decides what the link about a new passkey undoes after its time: the passkeys that browsers added since without a question. The password that
 * opened their sessions was known to a stranger. It ends unless it was changed since, and only for the mailbox that is still the user's:
 * nobody with an old one decides about more.
 */
const planLateUndo = (
  report: SecurityReportRecord,
  user: UserRecord,
  { nowMs, passkeys }: UndoOptions,
): Undo => {
  const endedPasskeys = listUnaskedSince(passkeys, report.changedAt - reportClockToleranceMs)
  const isPasswordInvalidated =
    user.passwordHash !== null &&
    (user.passwordChangedAt ?? 0) < report.changedAt &&
    user.normalizedEmail === report.normalizedEmail &&
    canResetPassword(user, nowMs)
  return {
    changes: {
      passkeys: countRemovedPasskeys(user, endedPasskeys),
      ...(isPasswordInvalidated ? { passwordHash: null, password_change_required: true } : {}),
    },
    result: { isEmailRestored: false, isPasswordInvalidated, isResetEmailSent: isPasswordInvalidated },
    endedPasskeys,
  }
}

const listUnasked = (passkeys: readonly PasskeyRecord[]): readonly PasskeyRecord[] =>
  passkeys.filter(({ isUnasked }) => isUnasked)

const listUnaskedSince = (passkeys: readonly PasskeyRecord[], from: number): readonly PasskeyRecord[] =>
  listUnasked(passkeys).filter(({ createdAt }) => createdAt >= from)

/** Whether the email was about a passkey that a browser added without a question. Someone with the password opened that session. */
const addedUnasked = (
  { change, changedAt }: SecurityReportRecord,
  passkeys: readonly PasskeyRecord[],
): boolean =>
  change === 'passkey_added' &&
  listUnasked(passkeys).some(({ createdAt }) => Math.abs(createdAt - changedAt) <= reportClockToleranceMs)

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

/**
 * Whether the link of a security email works. A used link works again, to complete what it started.
 *
 * A report ends the links about later changes, because it undid those changes. Links about earlier changes still work.
 * Otherwise a thief could change the email address, report a change of their own from their mailbox, and so end the link
 * that the victim got before.
 */
const isReportUsable = (report: SecurityReportRecord, user: UserRecord, nowMs: number): boolean => {
  if (!isActive(user, nowMs) || (isLate(report, nowMs) && !isReportKept(report))) return false
  if (report.result) return true
  const { endedUntil, undone = [] } = user.securityReports ?? { endedUntil: 0 }
  if (report.changedAt <= endedUntil) return false
  return !undone.some(({ from, to }) => report.changedAt >= from && report.changedAt <= to)
}

/** The state of the links after a report. Periods before the oldest link that can still work are left out. */
const buildReportState = (
  { changedAt }: SecurityReportRecord,
  { securityReports }: UserRecord,
  nowMs: number,
): SecurityReportState => {
  const { endedUntil, undone = [] } = securityReports ?? { endedUntil: 0 }
  const recent = undone.filter(({ to }) => to > nowMs - securityReportLifetimeMs)
  return { endedUntil, undone: [{ from: changedAt, to: nowMs }, ...recent].slice(0, undonePeriodsPerUser) }
}
