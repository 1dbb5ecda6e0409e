import type { Context } from 'aws-lambda'
import { buildScheduleContext } from '../../accounts/callers/request-context.ts'
import { connectionRefreshMs, connectionsRefreshedAtOnce } from '../../kernel/limits/connection-limits.ts'
import { getIds, getListing, readEntries } from '../../kernel/table/listing.ts'
import type { Services } from '../../services.ts'
import type { ConnectionContext } from './connection-context.ts'
import { checkAllDomains } from './domains.ts'
import { getProtocol, protocols } from './protocols.ts'
import { type Connection, getConnectionListing, readConnectionsOf } from './records.ts'
import { findRefreshProgress, storeRefreshProgress } from './refresh-progress.records.ts'
import { refreshSamlProvider } from './saml/refresh.part.ts'

/** Refreshes the connections of companies, each once a day. A schedule runs it each hour. */
export const createRefreshJob =
  (services: Services) =>
  async (
    _event: unknown,
    lambda: Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'>,
  ): Promise<RefreshSummary> => {
    const context = buildScheduleContext(services.now(), lambda.awsRequestId)
    let summary: RefreshSummary = { providers: 0, refreshed: 0, failed: 0, warnings: 0 }
    for await (const connections of takeConnections(services, lambda)) {
      const outcomes = await Promise.all(
        connections.map((provider) => processConnection({ services, provider, context })),
      )
      summary = outcomes.reduce(add, summary)
    }
    services.log.info('connection_refresh.done', { ...summary })
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

/** More connections are taken only with this much time left. Each can wait for its metadata and for the DNS. */
const reserveMs = 30_000

/**
 * Takes the connections whose turn it is, a few at a time, until no time is left. The next run continues. The progress is stored
 * before the connections are taken, so two runs take none twice, and a connection that stops a run stops no later one.
 */
async function* takeConnections(
  { table, now }: Services,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): AsyncGenerator<readonly Connection[]> {
  const kinds = [...protocols.values()].map(({ stored }) => stored)
  let progress = await findRefreshProgress(table)
  const isDue = !progress || now() - progress.startedAt >= connectionRefreshMs
  if (progress?.kind === undefined && !isDue) return
  const { startedAt, kind, after } =
    progress?.kind === undefined ? { startedAt: now(), kind: kinds[0]?.kind, after: undefined } : progress
  let position = { at: kinds.findIndex((one) => one.kind === kind), after }
  while (getRemainingTimeInMillis() > reserveMs) {
    const taken = kinds[position.at]
    if (!taken) return
    const listing = getListing(getConnectionListing(taken.kind), 'id')
    const request = { after: position.after, limit: connectionsRefreshedAtOnce, isDescending: false }
    const entries = await readEntries(table, listing, request)
    const isLast = entries.length < connectionsRefreshedAtOnce
    position = isLast
      ? { at: position.at + 1, after: undefined }
      : { at: position.at, after: entries.at(-1)?.indexKey }
    const next = { startedAt, kind: kinds[position.at]?.kind, after: position.after }
    progress = await storeRefreshProgress(table, progress, next)
    if (!progress) return
    const connections = await readConnectionsOf(table, taken, getIds(entries))
    yield connections.filter((connection) => connection !== undefined)
  }
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
