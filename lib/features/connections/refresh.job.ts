import type { Context } from 'aws-lambda'
import type { Services } from '../../services.ts'
import { buildScheduleContext, type RequestContext } from '../access/request-context.ts'
import type { ConnectionContext } from './connection-context.ts'
import { checkAllDomains } from './domains.ts'
import { getProtocol, protocols } from './protocols.ts'
import { type Connection, readConnectionPages } from './records.ts'
import { refreshSamlProvider } from './saml/refresh.step.ts'

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

/** What a protocol refreshes in its connections. */
interface Refresher {
  refresh(
    current: ConnectionContext,
  ): Promise<Omit<RefreshSummary, 'providers'> & { readonly provider: Connection }>
}

/** Connections of other protocols have nothing to refresh but the proofs of their domains. */
const refreshers: ReadonlyMap<string, Refresher> = new Map([['saml', { refresh: refreshSamlProvider }]])

const connectionsAtOnce = 8

/**
 * Refreshes all connections that have a metadata URL, checks the domains of all, and warns about certificates that expire soon.
 * A connection whose metadata cannot be read stays as it is and does not affect the others.
 */
const refreshAllConnections = async (
  services: Services,
  context: RequestContext,
): Promise<RefreshSummary> => {
  let summary: RefreshSummary = { providers: 0, refreshed: 0, failed: 0, warnings: 0 }
  for (const { stored } of protocols.values())
    for await (const connections of readConnectionPages(services.table, stored, connectionsAtOnce)) {
      const outcomes = await Promise.all(
        connections.map((provider) => processConnection({ services, provider, context })),
      )
      summary = outcomes.reduce(add, summary)
    }
  return summary
}

const processConnection = async (current: ConnectionContext): Promise<RefreshSummary> => {
  const { services, provider } = current
  const nothing = { provider, refreshed: 0, failed: 0, warnings: 0 }
  try {
    const done = (await refreshers.get(provider.kind)?.refresh(current)) ?? nothing
    await checkAllDomains({ ...current, provider: done.provider })
    return { providers: 1, refreshed: done.refreshed, failed: done.failed, warnings: done.warnings }
  } catch (error) {
    services.log.error(`${getProtocol(provider).eventPrefix}.not_processed`, {
      connection: provider.id,
      error,
    })
    return { providers: 1, refreshed: 0, failed: 1, warnings: 0 }
  }
}

const add = (a: RefreshSummary, b: RefreshSummary): RefreshSummary => ({
  providers: a.providers + b.providers,
  refreshed: a.refreshed + b.refreshed,
  failed: a.failed + b.failed,
  warnings: a.warnings + b.warnings,
})
