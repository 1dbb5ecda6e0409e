import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import { buildOutboxStep } from '../../../accounts/outbox/outbox.records.ts'
import { findAdminIds } from '../../../accounts/users/admins.records.ts'
import { listUsers } from '../../../accounts/users/find-users.records.ts'
import { hasVerifiedEmail } from '../../../accounts/users/guest-state.records.ts'
import { certificateWarningDays, warnedAdmins } from '../../../kernel/limits/saml-limits.ts'
import { buildMetricFields } from '../../../kernel/log/log.ts'
import { type Step, wasCommitted } from '../../../kernel/table/transaction.ts'
import { day } from '../../../kernel/util/time.ts'
import type { Services } from '../../../services.ts'
import {
  type Certificate,
  parseStoredCertificates,
  readCertificates,
  removeDuplicateCertificates,
} from './certificates.ts'
import type { SamlConnection } from './records.ts'
import type { SamlContext } from './saml-context.ts'
import { getSpCertificates } from './sp-keys.ts'
import { buildWarnedStep } from './warnings.records.ts'

/** The owner of a certificate: the identity provider (`idp`) or this service (`sp`). */
type Side = 'idp' | 'sp'

/**
 * Warns about the provider's certificates and our own that expire within one of the `certificateWarningDays`. A warning
 * is an audit event, a metric and an email to administrators. It is stored in one transaction, so that concurrent runs
 * warn once. Returns the number of warnings.
 */
export const warnAboutExpiringCertificates = async (saml: SamlContext): Promise<number> => {
  const { services, provider } = saml
  const certificates = [
    ...labelWithSide('idp', parseStoredCertificates(provider.certificate)),
    ...labelWithSide('sp', getSpCertificates(provider).signing),
  ]
  let count = 0
  for (const { side, certificate } of certificates) {
    const days = findWarningDays(certificate, services.now())
    if (days === undefined || (provider.warnedOf[certificate.fingerprint] ?? Infinity) <= days) continue
    if (await warn(saml, { side, certificate, days })) count += 1
  }
  return count
}

const labelWithSide = (side: Side, certificates: readonly Certificate[]) =>
  removeDuplicateCertificates(certificates).map((certificate) => ({ side, certificate }))

/** The smallest number of warning days before the expiry. Undefined when it is later, or in the past. */
const findWarningDays = ({ endsAt }: Certificate, nowMs: number): number | undefined =>
  endsAt <= nowMs ? undefined : certificateWarningDays.findLast((days) => endsAt - nowMs <= days * day)

interface ExpiringCertificate {
  readonly side: Side
  readonly certificate: Certificate
  readonly days: number
}

/** Returns false when another run warned already, or the provider was deleted. */
const warn = async (
  { services, provider: { id, organization_id: organization }, context }: SamlContext,
  { side, certificate, days }: ExpiringCertificate,
): Promise<boolean> => {
  const { endsAt, fingerprint } = certificate
  const steps = [
    buildWarnedStep(id, fingerprint, days),
    auditStep(context, 'saml_provider.certificate_ending', {
      target: `${id} ${side} ${days}`,
      ...(organization !== null && { organization }),
    }),
    ...(await buildMailSteps(services, context, { providerId: id, side, endsAt })),
  ]
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

const buildMailSteps = async (
  { table, now }: Services,
  context: RequestContext,
  details: { readonly providerId: number; readonly side: Side; readonly endsAt: number },
): Promise<readonly Step[]> => {
  const admins = await listUsers(table, await findAdminIds(table))
  return admins
    .filter((admin) => admin !== undefined && hasVerifiedEmail(admin))
    .slice(0, warnedAdmins)
    .flatMap((admin) =>
      admin
        ? [buildOutboxStep({ kind: 'saml_certificate_ending', userId: admin.id, ...details }, context, now())]
        : [],
    )
}

/** Logs expired certificates. They are still accepted, because an expiry alone must not break sign-ins. */
export const reportExpiredCertificates = (
  { log, now }: Services,
  { id, certificate, sp_certificate }: SamlConnection,
): void => {
  for (const [field, text] of Object.entries({ certificate, sp_certificate: sp_certificate ?? '' }))
    for (const { endsAt } of text === '' ? [] : readCertificates(text).certificates)
      if (endsAt <= now())
        log.warn('saml_provider.certificate_expired', {
          provider: id,
          field,
          ended: new Date(endsAt).toISOString(),
        })
}

const transientFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

/**
 * Logs a warning for a provider that is configured to send a new name at each sign-in, without an attribute that
 * identifies its users. No user can sign in through such a provider.
 */
export const reportTransientNames = (
  { log }: Services,
  { id, nameid_format, nameid_attribute }: SamlConnection,
): void => {
  if (nameid_format === transientFormat && !nameid_attribute)
    log.warn('saml_provider.transient_names', { provider: id, missing: 'nameid_attribute' })
}
