import { buildEndReportsChange } from '../../accounts/outbox/security-notices.ts'
import type { HoldingRow } from '../../accounts/users/holding-row.ts'
import { listSecurityReports } from './reports.records.ts'

/** The links of security emails. With one, somebody who lost the account could get it back. */
export const securityReport: HoldingRow = {
  count: async ({ table, now }, { id, securityReports }) =>
    (await listSecurityReports(table, id)).filter(
      ({ changedAt, expiresAt, result }) =>
        result === undefined && now() < expiresAt && changedAt > (securityReports?.endedUntil ?? 0),
    ).length,
  plan: (services) => ({ changes: buildEndReportsChange(services) }),
}
