import { BusyError, ContentionError } from '../errors/errors.ts'
import { buildMetricFields } from '../log/log.ts'
import type { Services } from '../services.ts'
import { getCurrentCost } from '../store/engine/table-calls.ts'
import type { HttpContext, HttpEvent, Middleware } from './http-types.ts'
import { toAppError } from './problem.ts'

/**
 * Writes one log line per request: the operation, the caller, the status, the duration, and the consumed capacity. A
 * line never contains a path, a query, a header, or a body, because any of them can contain a credential.
 */
export const logRequest = (services: Services): Middleware => {
  const { log } = services
  const write = (event: HttpEvent, context: HttpContext, status: number | undefined) => {
    const { requestState } = context
    const cost = getCurrentCost()
    log.info('request', {
      request_id: requestState.requestId,
      operation: requestState.operation?.id,
      status,
      duration_ms: Math.round(performance.now() - requestState.startedAt),
      user: requestState.principal?.user.id,
      address: requestState.viewerAddress ?? event.requestContext.http.sourceIp,
      client_address: requestState.clientAddress,
      product: requestState.product?.user.id,
      table_calls: cost?.calls,
      table_round_trips: cost?.roundTrips,
      table_units: cost?.units,
    })
  }
  return {
    after: ({ event, context, response }) => write(event, context, response?.statusCode),
    onError: ({ event, context, response, error }) => {
      const { requestId, operation } = context.requestState
      const known = error && toAppError(error)
      if (known?.code === 'login_failed')
        log.info('login.failed', { request_id: requestId, ...buildMetricFields('LoginFailed', services) })
      if (error instanceof BusyError)
        log.warn(error instanceof ContentionError ? 'record.busy' : 'table.busy', {
          request_id: requestId,
          operation: operation?.id,
          error,
        })
      if (error && !known)
        log.error('request.failed', { request_id: requestId, operation: operation?.id, error })
      write(event, context, response?.statusCode)
    },
  }
}
