import { securityReportLifetimeMs } from '../../limits/limits.ts'
import { mintCredential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import type { Step } from '../../store/engine/transaction.ts'
import { buildSecurityReportStep, type SecurityReportRecord } from '../../store/sign-in/security-reports.ts'

type ReportableChange = Pick<
  SecurityReportRecord,
  'userId' | 'change' | 'changedAt' | 'email' | 'normalizedEmail'
>

/** Creates the token of a security email, and the step that stores its hash. */
export const mintSecurityReport = (
  { now }: Services,
  change: ReportableChange,
): { readonly value: string; readonly step: Step } => {
  const { value, hash } = mintCredential('security_report', change.userId)
  const step = buildSecurityReportStep({ ...change, hash, expiresAt: now() + securityReportLifetimeMs })
  return { value, step }
}
