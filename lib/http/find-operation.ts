import { listMethods, type Operation } from '../contract/operation.ts'
import { type Middleware, readRoutePath } from './http-types.ts'
import { createMethodNotAllowed } from './respond.ts'

/** Prepares the state of the request, which the other steps extend. */
export const createRequestState = (): Middleware => ({
  before: ({ event, context }) => {
    context.requestState = { startedAt: performance.now(), requestId: event.requestContext.requestId }
  },
})

/**
 * Finds the operation by the path of the route that API Gateway chose, and by the method of the request. Most routes
 * take every method of their path, so a method without an operation is refused here, before anything is authenticated.
 */
export const findOperation = (operations: readonly Operation[]): Middleware => {
  const byPath = new Map<string, Map<string, Operation>>()
  for (const operation of operations) {
    const byMethod = byPath.get(operation.path) ?? new Map<string, Operation>()
    byPath.set(operation.path, byMethod)
    for (const method of listMethods(operation)) byMethod.set(method, operation)
  }
  return {
    before: ({ event, context }) => {
      const byMethod = byPath.get(readRoutePath(event))
      if (!byMethod) throw new Error(`This function has no operation for the route ${event.routeKey}.`)
      const operation = byMethod.get(event.requestContext.http.method)
      if (!operation) throw createMethodNotAllowed(byMethod.keys())
      context.requestState.operation = operation
    },
  }
}
