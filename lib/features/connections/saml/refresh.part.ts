import { writeAudit } from '../../../accounts/events/write-event.ts'
import { AppError } from '../../../kernel/errors/errors.ts'
import { buildMetricFields } from '../../../kernel/log/log.ts'
import { EditConflict } from '../../../kernel/table/transaction.ts'
import { warnAboutExpiringCertificates } from './certificate-warnings.ts'
import { refreshProvider } from './provider-metadata.ts'
import type { SamlConnection } from './records.ts'
import type { SamlContext } from './saml-context.ts'

/** What became of a provider, and how often each thing was done with it. */
interface Refreshed {
  readonly provider: SamlConnection
  readonly refreshed: number
  readonly failed: number
  readonly warnings: number
}

/** Refreshes a provider from its metadata URL, and warns about certificates that expire soon. */
export const refreshSamlProvider = async (saml: SamlContext): Promise<Refreshed> => {
  const refreshed = await refresh(saml)
  const provider = refreshed ?? saml.provider
  // New certificates from the metadata may expire soon as well.
  const warnings = await warnAboutExpiringCertificates({ ...saml, provider })
  const hasFailed = provider.metadata_url_source !== null && !refreshed
  return { provider, warnings, refreshed: refreshed ? 1 : 0, failed: hasFailed ? 1 : 0 }
}

/** Returns the refreshed provider. Undefined if it has no metadata URL or the metadata cannot be read. */
const refresh = async (saml: SamlContext): Promise<SamlConnection | undefined> => {
  const { services, provider, context } = saml
  const url = provider.metadata_url_source
  if (url === null) return undefined
  try {
    return (await refreshProvider(saml, { url, keepsOldCertificates: true })).provider
  } catch (error) {
    if (!(error instanceof AppError || error instanceof EditConflict)) throw error
    const reason = error instanceof AppError ? describeError(error) : error.message
    services.log.warn('saml_provider.refresh_failed', {
      provider: provider.id,
      reason,
      ...buildMetricFields('SamlRefreshFailed', services),
    })
    const outcome = error instanceof AppError ? (error.details.reason ?? error.code) : 'conflict'
    await writeAudit(services, context, 'saml_provider.refresh_failed', {
      target: String(provider.id),
      outcome,
    })
    return undefined
  }
}

const describeError = ({ code, details }: AppError): string =>
  details.errors?.map(({ field, message }) => `${field} ${message}`).join('; ') ?? details.detail ?? code
