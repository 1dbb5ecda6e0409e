import { getRouteKeys, type Operation } from '../contract/operation.ts'
import type { Middleware } from './http-types.ts'

/** Prepares the state of the request, which the other steps extend. */
export const createRequestState = (): Middleware => ({
  before: ({ event, context }) => {
    context.requestState = { startedAt: performance.now(), requestId: event.requestContext.requestId }
  },
})

/** Finds the operation by the route that API Gateway chose. */
export const findOperation = (operations: readonly Operation[]): Middleware => {
  const byRoute = new Map(
    operations.flatMap((operation) => getRouteKeys(operation).map((key) => [key, operation] as const)),
  )
  return {
    before: ({ event, context }) => {
      const operation = byRoute.get(event.routeKey)
      if (!operation) throw new Error(`This function has no operation for the route ${event.routeKey}.`)
      context.requestState.operation = operation
    },
  }
}
