import { anyMethod } from '../../lib/contract/routes.ts'
import { decodeParameter } from './request-path.ts'

/** A route of the API and its target function. */
export interface Route {
  /** As in API Gateway: `ANY /api/2/users/{id}`, or with a method in place of `ANY`. */
  readonly routeKey: string
  readonly target: string
}

export interface RouteMatch extends Route {
  readonly pathParameters: Readonly<Record<string, string>>
}

/** The route of all requests that match no other route. */
export const defaultRoute = { routeKey: '$default', target: '$default' } as const satisfies Route

interface Pattern extends Route {
  readonly method: string
  readonly segments: readonly string[]
}

const isParameter = (segment: string): boolean => segment.startsWith('{')

const parsePattern = (route: Route): Pattern => {
  const [method = '', path = ''] = route.routeKey.split(' ')
  if (path.includes('+}'))
    throw new Error(`The route ${route.routeKey} has a greedy parameter, which is not supported.`)
  return { ...route, method, segments: path.split('/') }
}

/**
 * Sorts literal segments before parameters, from the left, and a method before any, so that the first matching pattern
 * is the best. Only patterns of one length compete. The length comes first, because otherwise the order would depend on
 * the order of the routes.
 */
const bySpecificity = (a: Pattern, b: Pattern): number => {
  if (a.segments.length !== b.segments.length) return a.segments.length - b.segments.length
  const index = a.segments.findIndex(
    (segment, i) => isParameter(segment) !== isParameter(b.segments[i] ?? ''),
  )
  if (index < 0) return Number(a.method === anyMethod) - Number(b.method === anyMethod)
  return isParameter(a.segments[index] ?? '') ? 1 : -1
}

const matchParameters = (
  pattern: Pattern,
  segments: readonly string[],
): Record<string, string> | undefined => {
  if (pattern.segments.length !== segments.length) return undefined
  const parameters: [string, string][] = []
  for (const [i, expected] of pattern.segments.entries()) {
    const sent = segments[i] ?? ''
    if (isParameter(expected) && sent !== '') parameters.push([expected.slice(1, -1), decodeParameter(sent)])
    else if (expected !== sent) return undefined
  }
  return Object.fromEntries(parameters)
}

/**
 * Matches routes like API Gateway: path and method must match, literal segments win over parameters, a method wins over
 * `ANY`, and all other requests go to `$default`. See the Developer Guide, "Create routes for HTTP APIs". A slash at the end is
 * part of the path, and no parameter is empty: reported in `storacha/w3infra` pull request 166, with a contrary report in
 * `aws-powertools/powertools-lambda-python` issue 1552.
 */
export const createRouter = (routes: readonly Route[]) => {
  const patterns = routes.map(parsePattern).sort(bySpecificity)
  return (method: string, routePath: string): RouteMatch => {
    const segments = routePath.split('/')
    for (const pattern of patterns) {
      const takesMethod = pattern.method === method || pattern.method === anyMethod
      const pathParameters = takesMethod ? matchParameters(pattern, segments) : undefined
      if (pathParameters) return { routeKey: pattern.routeKey, target: pattern.target, pathParameters }
    }
    return { ...defaultRoute, pathParameters: {} }
  }
}
