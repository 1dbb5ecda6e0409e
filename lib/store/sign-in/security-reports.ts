import { findWithUser } from '../directory/find-with-user.ts'
import type { UserRecord } from '../directory/user-record.ts'
import { isPresent } from '../engine/expressions.ts'
import type { Table } from '../engine/table.ts'
import type { OrElse, Step } from '../engine/transaction.ts'
import { securityReportKey } from '../keys/keys.ts'
import {
  type SecurityReportRecord,
  type SecurityReportResult,
  securityReportCodec,
} from './security-report-record.ts'

/** Builds the step that stores the link of a security email. */
export const buildSecurityReportStep = (report: SecurityReportRecord): Step => ({
  put: {
    ...securityReportKey(report.userId, report.hash),
    ...report,
    expires_at: Math.ceil(report.expiresAt / 1000),
  },
})

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
