import type { SecurityChangeKind } from '../../accounts/outbox/security-changes.models.ts'
import { findWithUser } from '../../accounts/users/find-with-user.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { isPresent } from '../../kernel/table/expressions.ts'
import { securityReportKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, decodeListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { OrElse, Step } from '../../kernel/table/transaction.ts'

/** Builds the step that stores the link of a security email. */
export const buildSecurityReportStep = (report: SecurityReportRecord): Step => ({
  put: {
    ...securityReportKey(report.userId, report.hash),
    ...securityReportCodec.encode(report),
    ...(isReportKept(report) ? {} : { expires_at: Math.ceil(report.expiresAt / 1000) }),
  },
})

/**
 * Whether the link still ends something after its time: the passkeys that a browser added since without a question, as long as they
 * exist. Nobody notices them, so the email may be read late.
 */
export const isReportKept = ({ change }: Pick<SecurityReportRecord, 'change'>): boolean =>
  change === 'passkey_added'

/** Reads a report and its user in one call. */
export const findSecurityReportAndUser = async (
  table: Table,
  userId: number,
  hash: string,
): Promise<{ report: SecurityReportRecord | undefined; user: UserRecord | undefined }> => {
  const [report, user] = await findWithUser(
    table,
    securityReportCodec,
    securityReportKey(userId, hash),
    userId,
  )
  return { report, user }
}

/** The reports of a user, without those that cannot be read. Some of their links may have ended. */
export const listSecurityReports = async (
  table: Table,
  userId: number,
): Promise<readonly SecurityReportRecord[]> => {
  const { pk, sk } = securityReportKey(userId, '')
  return decodeListed(table, securityReportCodec, await table.list(pk, sk))
}

/** Builds the step that uses a link and stores the result. It fails if the link was used already. */
export const buildUseSecurityReportStep = (
  { userId, hash }: SecurityReportRecord,
  result: SecurityReportResult,
  orElse: OrElse,
): Step => ({
  update: securityReportKey(userId, hash),
  changes: (x) => ({
    set: [`${x.path('result')} = ${x.value(result)}`],
    condition: `attribute_exists(${x.path('hash')}) AND attribute_not_exists(${x.path('result')})`,
  }),
  orElse,
})

/** Ends the link of a security email. Fails if it was used or ended already. */
export const buildEndSecurityReportStep = ({
  userId,
  hash,
}: Pick<SecurityReportRecord, 'userId' | 'hash'>): Step => ({
  delete: securityReportKey(userId, hash),
  condition: (x) => `${isPresent(x)} AND attribute_not_exists(${x.path('result')})`,
})

/**
 * The link of a security email. With it, the recipient reports that the change was not theirs. It is in the partition
 * of the user, so that one call reads both.
 */
export interface SecurityReportRecord {
  readonly hash: string
  readonly userId: number
  readonly change: SecurityChangeKind
  /** The time of the change. Epoch milliseconds, like all times here. */
  readonly changedAt: number
  /** The email address of the user before the change, which got the email. */
  readonly email: string
  readonly normalizedEmail: string
  readonly expiresAt: number
  /** The result of the report. Missing until the link is used. */
  readonly result?: SecurityReportResult
}

export interface SecurityReportResult {
  readonly isEmailRestored: boolean
  readonly isPasswordInvalidated: boolean
  readonly isResetEmailSent: boolean
}

export const securityReportCodec = createCodec<SecurityReportRecord>('security report', {
  hash: 'string',
  userId: 'number',
  change: 'string',
  changedAt: 'number',
  email: 'string',
  normalizedEmail: 'string',
  expiresAt: 'number',
})
