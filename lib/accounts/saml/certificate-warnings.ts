import { certificateWarningDays, warnedAdmins } from '../../core/limits.ts'
import { buildMetricFields } from '../../core/metrics.ts'
import {
  type Certificate,
  findTrustedCertificates,
  removeDuplicateCertificates,
} from '../../saml/certificates.ts'
import type { Services } from '../../services.ts'
import { findAdminIds } from '../../store/directory/admins.ts'
import { findUsers } from '../../store/directory/users.ts'
import type { Step } from '../../store/engine/transaction.ts'
import { wasCommitted } from '../../store/engine/transaction-errors.ts'
import { buildOutboxStep } from '../../store/records/outbox.ts'
import type { SamlProviderRecord } from '../../store/records/saml-provider-record.ts'
import { buildWarnedStep } from '../../store/saml/saml-warnings.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { getSpCertificates } from './sp-keys.ts'

/** Whose certificate it is: the identity provider's or ours. */
export type Side = 'idp' | 'sp'

const dayMs = 24 * 60 * 60_000

/**
 * Warns of the certificates of a provider, theirs and ours, that end within one of the spans of `certificateWarningDays`:
 * by a record, a count, and a mail to the administrators, which are one write, so that each is given once whoever else
 * is at it. Returns how many there were.
 */
export const warnAboutExpiringCertificates = async (
  services: Services,
  provider: SamlProviderRecord,
  context: RequestContext,
): Promise<number> => {
  const ending = [
    ...withSide('idp', findTrustedCertificates(provider.certificate)),
    ...withSide('sp', getSpCertificates(provider).signing),
  ]
  let count = 0
  for (const { side, certificate } of ending) {
    const days = spanOf(certificate, services.now())
    if (days === undefined || (provider.warnedOf[certificate.fingerprint] ?? Infinity) <= days) continue
    if (await warn(services, provider, context, { side, certificate, days })) count += 1
  }
  return count
}

const withSide = (side: Side, certificates: readonly Certificate[]) =>
  removeDuplicateCertificates(certificates).map((certificate) => ({ side, certificate }))

/** The shortest of the spans that its end is within; undefined for one that is good for longer, or over. */
const spanOf = ({ endsAt }: Certificate, nowMs: number): number | undefined =>
  endsAt <= nowMs ? undefined : certificateWarningDays.findLast((days) => endsAt - nowMs <= days * dayMs)

interface Ending {
  readonly side: Side
  readonly certificate: Certificate
  readonly days: number
}

const warn = async (
  services: Services,
  { id }: SamlProviderRecord,
  context: RequestContext,
  { side, certificate, days }: Ending,
): Promise<boolean> => {
  const { endsAt, fingerprint } = certificate
  const steps = [
    buildWarnedStep(id, fingerprint, days),
    auditStep(context, 'saml_provider.certificate_ending', { target: `${id} ${side} ${days}` }),
    ...(await mailSteps(services, context, { providerId: id, side, endsAt })),
  ]
  // Refused when somebody else warned of it, or the provider is gone.
  if (!(await wasCommitted(services.table.transact(steps)))) return false
  services.log.warn('saml_provider.certificate_ending', {
    provider: id,
    side,
    ends: new Date(endsAt).toISOString(),
    days,
    ...buildMetricFields('SamlCertificateEnding', services),
  })
  return true
}

const mailSteps = async (
  { table, now }: Services,
  context: RequestContext,
  facts: { readonly providerId: number; readonly side: Side; readonly endsAt: number },
): Promise<readonly Step[]> => {
  const admins = await findUsers(table, await findAdminIds(table))
  return admins
    .filter((admin) => admin !== undefined && admin.email !== null)
    .slice(0, warnedAdmins)
    .flatMap((admin) =>
      admin
        ? [buildOutboxStep({ kind: 'saml_certificate_ending', userId: admin.id, ...facts }, context, now())]
        : [],
    )
}
