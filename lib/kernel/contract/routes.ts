import type { Group } from './group.ts'
import { listMethods, type Method, type Operation } from './operation.ts'

/** The method of a route that takes every method of its path. */
export const anyMethod = 'ANY'

/** A route of the API, with the group whose function answers it. */
export interface GroupRoute {
  readonly method: Method | 'HEAD' | typeof anyMethod
  readonly path: string
  readonly target: Group
  /** As in API Gateway: `ANY /api/2/users/{id}`. */
  readonly routeKey: string
}

/**
 * Lists the routes of operations: one for each path, because the function of a group knows which methods it answers.
 * Where operations of one path belong to different groups, each of their methods has a route.
 */
export const listRoutes = (operations: readonly Operation[]): readonly GroupRoute[] =>
  [...groupByPath(operations)].flatMap(([path, sharing]) => {
    const [target, ...others] = new Set(sharing.map(({ group }) => group))
    return target !== undefined && others.length === 0
      ? [createRoute(anyMethod, path, target)]
      : sharing.flatMap((operation) =>
          listMethods(operation).map((method) => createRoute(method, path, operation.group)),
        )
  })

/** `Map.groupBy` is newer than Node.js 20, in which products run the package. */
const groupByPath = (operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> => {
  const groups = new Map<string, Operation[]>()
  for (const operation of operations) {
    const group = groups.get(operation.path)
    if (group) group.push(operation)
    else groups.set(operation.path, [operation])
  }
  return groups
}

const createRoute = (method: GroupRoute['method'], path: string, target: Group): GroupRoute => ({
  method,
  path,
  target,
  routeKey: `${method} ${path}`,
})
