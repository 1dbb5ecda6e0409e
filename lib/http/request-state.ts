import { listMethods, type Operation } from '../kernel/contract/operation.ts'
import { BusyError, ContentionError } from '../kernel/errors/errors.ts'
import { buildMetricFields } from '../kernel/log/log.ts'
import { getCurrentCost } from '../kernel/table/table-calls.ts'
import type { Services } from '../services.ts'
import {
  getSenderAddress,
  type HttpContext,
  type HttpEvent,
  type Middleware,
  readRoutePath,
} from './http-types.ts'
import { hasGreedyRoute } from './name-route.ts'
import { toAppError } from './problem.ts'
import { createMethodNotAllowed, createUnknownPathError } from './respond.ts'

/** Prepares the state of the request, which the other middleware extends. */
export const createRequestState = (): Middleware => ({
  before: ({ event, context }) => {
    context.requestState = { startedAt: performance.now(), requestId: event.requestContext.requestId }
  },
})

/**
 * Finds the operation by the path of the route, and by the method of the request. Most routes take every method of their path, and
 * greedy ones every path below, so what has no operation is refused here, before anything is authenticated.
 */
export const findOperation = (
  { config }: Pick<Services, 'config'>,
  operations: readonly Operation[],
): Middleware => {
  const byPath = new Map<string, Map<string, Operation>>()
  for (const operation of operations) {
    const byMethod = byPath.get(operation.path) ?? new Map<string, Operation>()
    byPath.set(operation.path, byMethod)
    for (const method of listMethods(operation)) byMethod.set(method, operation)
  }
  return {
    before: ({ event, context }) => {
      const byMethod = byPath.get(readRoutePath(event))
      if (hasGreedyRoute(event)) throw createUnknownPathError(config)
      if (!byMethod) throw new Error(`This function has no operation for the route ${event.routeKey}.`)
      const operation = byMethod.get(event.requestContext.http.method)
      if (!operation) throw createMethodNotAllowed(byMethod.keys())
      context.requestState.operation = operation
    },
  }
}

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
      address: getSenderAddress(event, context),
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
