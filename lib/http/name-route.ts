import type { Operation } from '../kernel/contract/operation.ts'
import { compareSpecificity, compilePattern, isGreedy } from '../kernel/contract/path-pattern.ts'
import { groupBy } from '../kernel/util/group-by.ts'
import { type HttpEvent, readRoutePath } from './http-types.ts'

/**
 * Replaces a route by that of the path that an operation of the group has, with its parameters, as if API Gateway had chosen it: greedy
 * routes, and those whose parameters took a literal segment of another path. The event of an unknown path stays as it is.
 */
export const nameRoute = (operations: readonly Operation[]): ((event: HttpEvent) => HttpEvent) => {
  const paths = [...new Set(operations.map(({ path }) => path))].sort(compareSpecificity)
  const patterns = paths.map((path) => ({ path, match: compilePattern(path) }))
  const byLength = groupBy(patterns, ({ path }) => countSegments(path))
  return (event) => {
    const route = readRoutePath(event)
    if (!route.includes('{')) return event
    // API Gateway has decoded the raw path as often as parameters. A slash in a parameter begins no other segment.
    const candidates = byLength.get(countSegments(isGreedy(route) ? event.rawPath : route)) ?? []
    const sent = event.rawPath.split('/')
    for (const { path, match } of candidates) {
      const parameters = match(sent)
      if (parameters)
        return { ...event, routeKey: `ANY ${path}`, pathParameters: Object.fromEntries(parameters) }
    }
    return event
  }
}

const countSegments = (path: string): number => path.split('/').length

/** Whether the function has no path for the request: a greedy route led here, and `nameRoute` found none. */
export const hasGreedyRoute = (event: HttpEvent): boolean => isGreedy(readRoutePath(event))
