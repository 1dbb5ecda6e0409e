import type { Context } from 'aws-lambda'
import { AppError } from '../../kernel/errors/errors.ts'
import { buildMetricFields } from '../../kernel/log/log.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { buildScheduleContext, type RequestContext } from '../access/request-context.ts'
import { writeAudit } from '../audit/write-event.ts'
import { checkAllDomains } from './domains.ts'
import { type OidcConnection, oidcKind } from './oidc/records.ts'
import { readConnectionPages } from './records.ts'
import { warnAboutExpiringCertificates } from './saml/certificate-warnings.ts'
import { refreshProvider } from './saml/provider-metadata.ts'
import { type SamlConnection, samlKind } from './saml/records.ts'

/** Refreshes all connections of companies. A schedule runs it once a day. */
export const createRefreshJob =
  (services: Services) =>
  async (_event: unknown, lambda: Pick<Context, 'awsRequestId'>): Promise<RefreshSummary> => {
    const summary = await refreshAllConnections(
      services,
      buildScheduleContext(services.now(), lambda.awsRequestId),
    )
    services.log.info('saml_refresh.done', { ...summary })
    return summary
  }

/** The number of connections with each result. */
interface RefreshSummary {
  readonly providers: number
  readonly refreshed: number
  readonly failed: number
  readonly warnings: number
}

const providersAtOnce = 8

/**
 * Refreshes all connections that have a metadata URL, checks the domains of all, and warns about certificates that expire soon.
 * A connection whose metadata cannot be read stays as it is and does not affect the others.
 */
const refreshAllConnections = async (
  services: Services,
  context: RequestContext,
): Promise<RefreshSummary> => {
  let summary: RefreshSummary = { providers: 0, refreshed: 0, failed: 0, warnings: 0 }
  for await (const providers of readConnectionPages(services.table, samlKind, providersAtOnce)) {
    const outcomes = await Promise.all(providers.map((one) => processProvider(services, one, context)))
    summary = outcomes.reduce(add, summary)
  }
  for await (const connections of readConnectionPages(services.table, oidcKind, providersAtOnce)) {
    const outcomes = await Promise.all(connections.map((one) => checkConnection(services, one, context)))
    summary = outcomes.reduce(add, summary)
  }
  return summary
}

/** An OpenID Connect connection has nothing to refresh but the proofs of its domains. */
const checkConnection = async (
  services: Services,
  connection: OidcConnection,
  context: RequestContext,
): Promise<RefreshSummary> => {
  const outcome = { providers: 1, refreshed: 0, failed: 0, warnings: 0 }
  try {
    await checkAllDomains({ services, provider: connection, context })
    return outcome
  } catch (error) {
    services.log.error('oidc_connection.not_processed', { connection: connection.id, error })
    return { ...outcome, failed: 1 }
  }
}

const add = (a: RefreshSummary, b: RefreshSummary): RefreshSummary => ({
  providers: a.providers + b.providers,
  refreshed: a.refreshed + b.refreshed,
  failed: a.failed + b.failed,
  warnings: a.warnings + b.warnings,
})

const processProvider = async (
  services: Services,
  provider: SamlConnection,
  context: RequestContext,
): Promise<RefreshSummary> => {
  const outcome = { providers: 1, refreshed: 0, failed: 0, warnings: 0 }
  try {
    const refreshed = await refresh(services, provider, context)
    const current = { services, provider: refreshed ?? provider, context }
    // New certificates from the metadata may expire soon as well.
    const warnings = await warnAboutExpiringCertificates(current)
    await checkAllDomains(current)
    const hasFailed = provider.metadata_url_source !== null && !refreshed
    return { ...outcome, warnings, refreshed: refreshed ? 1 : 0, failed: hasFailed ? 1 : 0 }
  } catch (error) {
    services.log.error('saml_provider.not_processed', { provider: provider.id, error })
    return { ...outcome, failed: 1 }
  }
}

/** Returns the refreshed provider. Undefined if it has no metadata URL or the metadata cannot be read. */
const refresh = async (
  services: Services,
  provider: SamlConnection,
  context: RequestContext,
): Promise<SamlConnection | undefined> => {
  const url = provider.metadata_url_source
  if (url === null) return undefined
  try {
    const saml = { services, provider, context }
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
