import { type Operation, routeKey } from '../contract/operation.ts'
import type { Middleware } from './http-types.ts'

export const openExchange = (): Middleware => ({
  before: ({ event, context }) => {
    context.exchange = { startedAt: performance.now(), requestId: event.requestContext.requestId }
  },
})

/** Finds the operation by the route that API Gateway chose. */
export const findOperation = (operations: readonly Operation[]): Middleware => {
  const byRoute = new Map(operations.map((operation) => [routeKey(operation), operation]))
  return {
    before: ({ event, context }) => {
      const operation = byRoute.get(event.routeKey)
      if (!operation) throw new Error(`this function has no operation for the route ${event.routeKey}`)
      context.exchange.operation = operation
    },
  }
}
