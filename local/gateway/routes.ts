import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { anyMethod } from '../../lib/kernel/contract/routes.ts'
import { decodeParameter, maxEventBytes, maxResultBytes } from './request-head.ts'
import { createGatewayResult, gatewayAnswers } from './respond.ts'

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
const defaultRoute = { routeKey: '$default', target: '$default' } as const satisfies Route

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

type Result = APIGatewayProxyStructuredResultV2

/** Calls the target function of a route. Rejects if the function fails. */
export type Invoke = (target: string, event: APIGatewayProxyEventV2) => Promise<Result | null | undefined>

const countJsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

/** The most bytes of a character in JSON: an escape such as `\u0000`. Base64 has none. */
const maxCharacterBytes = (value: { readonly isBase64Encoded?: boolean | undefined } | null | undefined) =>
  value?.isBase64Encoded ? 1 : 6
/** More than all parts of an event besides its body. The quota for the headers is 10 KB, and they appear up to three times. */
const otherEventBytes = 256 * 1024

/** Whether the event is too large. Most are far below the limit, so that their length alone proves it. */
const isEventTooLarge = (event: APIGatewayProxyEventV2): boolean =>
  (event.body?.length ?? 0) * maxCharacterBytes(event) + otherEventBytes > maxEventBytes &&
  countJsonBytes(event) > maxEventBytes

const isResultTooLarge = (result: Result | null | undefined): boolean => {
  const { length } = typeof result?.body === 'string' ? result.body : ''
  const others = countJsonBytes(length > 0 ? { ...result, body: '' } : result)
  return (
    others + length * maxCharacterBytes(result) > maxResultBytes && countJsonBytes(result) > maxResultBytes
  )
}

const timeoutParts = 10

/**
 * Calls a function within the limits of Lambda and API Gateway. An event that is too large is a 413, a failed function
 * or a result that is too large a 500, and a function that takes too long a 503.
 */
export const invokeFunction = async (
  invoke: () => ReturnType<Invoke>,
  event: APIGatewayProxyEventV2,
  timeoutMs: number,
): Promise<Result | null | undefined> => {
  if (isEventTooLarge(event)) return createGatewayResult(gatewayAnswers.bodyTooLarge)
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<Result>((resolve) => {
    // In parts, of which a machine that sleeps or stands still can use up only one.
    const waitFor = (parts: number) => {
      const next = () =>
        parts > 1 ? waitFor(parts - 1) : resolve(createGatewayResult(gatewayAnswers.unavailable))
      timer = setTimeout(next, timeoutMs / timeoutParts)
    }
    waitFor(timeoutParts)
  })
  try {
    const result = await Promise.race([invoke(), timedOut])
    return isResultTooLarge(result) ? createGatewayResult(gatewayAnswers.failed) : result
  } catch {
    return createGatewayResult(gatewayAnswers.failed)
  } finally {
    clearTimeout(timer)
  }
}
