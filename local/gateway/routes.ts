import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import {
  compareSpecificity,
  compilePattern,
  isGreedy,
  isParameter,
  type PatternMatcher,
} from '../../lib/kernel/contract/path-pattern.ts'
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
  readonly path: string
  readonly match: PatternMatcher
}

const parsePattern = (route: Route): Pattern => {
  const [method = '', path = ''] = route.routeKey.split(' ')
  return { ...route, method, path, match: compilePattern(path) }
}

const nameParameters = (path: string): string => path.replaceAll(/\{\w+(?=\+?\})/g, '{name')

/**
 * Refuses routes that API Gateway does not take together: the same twice, also with other names of parameters, and parameters with one
 * name. What comes after a greedy parameter is not defined, nor which of two parameters in one place wins.
 */
const requireValid = (patterns: readonly Pattern[]): void => {
  const keys = new Set<string>()
  const parameters = new Map<string, string>()
  for (const { routeKey, method, path } of patterns) {
    const key = `${method} ${nameParameters(path)}`
    if (keys.has(key)) throw new Error(`There are two routes ${routeKey}.`)
    keys.add(key)
    const segments = path.split('/')
    const names = segments.filter(isParameter)
    if (new Set(names).size < names.length)
      throw new Error(`The route ${routeKey} has two parameters with one name.`)
    for (const [at, segment] of segments.entries()) {
      if (isGreedy(segment) && at < segments.length - 1)
        throw new Error(`The route ${routeKey} continues after a greedy parameter.`)
      if (!isParameter(segment)) continue
      const place = segments.slice(0, at).join('/')
      const known = parameters.get(place) ?? segment
      if (known !== segment)
        throw new Error(`The route ${routeKey} has ${segment} where others have ${known}.`)
      parameters.set(place, segment)
    }
  }
}

const byMethod = (a: Pattern, b: Pattern): number =>
  Number(a.method === anyMethod) - Number(b.method === anyMethod)

/**
 * Matches routes like API Gateway: path and method must match, full matches win over greedy ones, literal segments over parameters, a
 * method over `ANY`, and all other requests go to `$default`. See `lib/kernel/contract/path-pattern.ts`. A slash at the end is
 * part of the path, and no parameter is empty: reported in `storacha/w3infra` pull request 166, with a contrary report in
 * `aws-powertools/powertools-lambda-python` issue 1552.
 */
export const createRouter = (routes: readonly Route[]) => {
  const patterns = routes
    .map(parsePattern)
    .sort((a, b) => compareSpecificity(a.path, b.path) || byMethod(a, b))
  requireValid(patterns)
  return (method: string, routePath: string): RouteMatch => {
    const sent = routePath.split('/')
    for (const pattern of patterns) {
      const takesMethod = pattern.method === method || pattern.method === anyMethod
      const parameters = takesMethod ? pattern.match(sent) : undefined
      if (!parameters) continue
      const values = parameters.map(([name, value]) => [name, decodeParameter(value)])
      return {
        routeKey: pattern.routeKey,
        target: pattern.target,
        pathParameters: Object.fromEntries(values),
      }
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
