import { endOnce, type LeakRow } from '../../accounts/users/leak-row.ts'
import { buildEndSecurityReportStep, findSecurityReportAndUser, isReportKept } from './reports.records.ts'

export const securityReport: LeakRow = {
  end: async (services, context, { subject, hash }) => {
    const { report, user } = await findSecurityReportAndUser(services.table, subject, hash)
    if (!report || !user || report.result) return
    if (report.expiresAt <= services.now() && !isReportKept(report)) return
    const end = buildEndSecurityReportStep(report)
    await endOnce(services, context, { owner: user, target: 'security_report', end })
  },
}
