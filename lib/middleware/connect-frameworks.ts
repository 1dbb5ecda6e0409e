import { AccessError } from './access-error.ts'
import type { IncomingRequest } from './read-credential.ts'
import type { ReportFailure } from './report-failure.ts'
import { type Requirement, readRequirement } from './requirement.ts'
import type { User } from './user.ts'

/**
 * Returns the user of a request that meets a requirement: of a web `Request`, or of what you read from another one. @throws
 * AccessError otherwise, also if the service fails
 *
 * @example
 * ```ts
 * import { createMiddleware, type IdentifyUser } from '@latchkey/middleware'
 *
 * export const identifyUser: IdentifyUser = createMiddleware({ baseUrl: 'https://auth.example.com' }).identifyUser
 * ```
 */
export type IdentifyUser<Caller extends object = User> = (
  request: Request | IncomingRequest,
  requirement?: Requirement,
) => Promise<Caller>

/**
 * Where middleware puts the user: `locals` of Express, the context of middy, and `Variables` of Hono.
 *
 * @example
 * ```ts
 * import { Hono } from 'hono'
 * import { createMiddleware, type ProfileUser, type WithUser } from '@latchkey/middleware'
 *
 * const latchkey = createMiddleware({ baseUrl: 'https://auth.example.com' })
 * export const app = new Hono<{ Variables: WithUser<ProfileUser> }>()
 * app.use(latchkey.hono())
 * app.get('/hello', (c) => c.text(`Hello ${c.get('user').username}`))
 * ```
 */
export type WithUser<Caller extends object = User> = {
  user: Caller
}

/**
 * Middleware that lets only signed-in callers through. Others get a problem body with 401, 403, 429, 502 or 503.
 *
 * @example
 * ```ts
 * import { createMiddleware, type Middleware } from '@latchkey/middleware'
 *
 * const latchkey: Middleware = createMiddleware({ baseUrl: 'https://auth.example.com' })
 * export const handler = latchkey.web((_, user) => Response.json({ hello: user.username }))
 * ```
 */
export interface Middleware<Caller extends object = User> {
  /** For Hono. The user is `c.get('user')`, which has a type in a `Hono<{ Variables: WithUser }>`. */
  hono(
    requirement?: Requirement,
  ): (c: HonoContext, next: () => Promise<void>) => Promise<Response | undefined>
  /** For Express 4 and 5. The user is `response.locals.user`. */
  express(requirement?: Requirement): ExpressHandler<Caller>['handle']
  /** For Lambda functions behind API Gateway and function URLs. The handler gets the user as its third argument. */
  lambda<Event extends LambdaEvent, Context, Result>(
    handler: (event: Event, context: Context, user: Caller) => Promise<Result>,
    requirement?: Requirement,
  ): (event: Event, context: Context) => Promise<Result | LambdaResponse>
  /** For middy. The user is `context.user`. */
  middy(requirement?: Requirement): {
    before(request: {
      readonly event: LambdaEvent
      readonly context: WithUser<Caller>
    }): Promise<LambdaResponse | undefined>
  }
  /** For handlers that get a web `Request` and return a `Response`. */
  web(
    handler: (request: Request, user: Caller) => Response | Promise<Response>,
    requirement?: Requirement,
  ): (request: Request) => Promise<Response>
  /** For other frameworks. Returns the user, or throws an `AccessError` with the response. */
  readonly identifyUser: IdentifyUser<Caller>
}

/** Returns the user of a request that meets a requirement, which was checked. */
export type Identify<Caller extends object> = (
  request: IncomingRequest,
  requirement: Requirement,
) => Promise<Caller>

/**
 * Builds the middleware of each framework from the function that identifies callers. Callers of `identifyUser` get the error, and report it
 * themselves.
 */
export const connectFrameworks = <Caller extends object>(
  identifyUser: Identify<Caller>,
  reportFailure: ReportFailure,
): Middleware<Caller> => {
  const identify = (request: IncomingRequest, requirement: Requirement): Promise<Caller | AccessError> =>
    identifyUser(request, requirement).catch((error: unknown) => {
      reportFailure(error)
      if (error instanceof AccessError) return error
      throw error
    })
  return {
    identifyUser: async (request, ...given) => identifyUser(readRequest(request), readRequirement(given)),
    hono: (...given) => {
      const requirement = readRequirement(given)
      return async (c, next) => {
        const { method, url } = c.req
        const request = { method, url, getHeader: (name: string) => c.req.header(name) }
        const user = await identify(request, requirement)
        if (user instanceof AccessError) return toResponse(user)
        c.set('user', user)
        await next()
        return undefined
      }
    },
    express: (...given) => {
      const requirement = readRequirement(given)
      return (request, response, next) => {
        identify(readExpressRequest(request), requirement).then((user) => {
          if (user instanceof AccessError) return sendRefusal(response, user)
          response.locals.user = user
          next()
        }, next)
      }
    },
    lambda: (handler, ...given) => {
      const requirement = readRequirement(given)
      return async (event, context) => {
        const user = await identify(readLambdaEvent(event), requirement)
        return user instanceof AccessError ? toLambdaResponse(user) : handler(event, context, user)
      }
    },
    middy: (...given) => {
      const requirement = readRequirement(given)
      return {
        before: async ({ event, context }) => {
          const user = await identify(readLambdaEvent(event), requirement)
          if (user instanceof AccessError) return toLambdaResponse(user)
          Object.assign(context, { user })
          return undefined
        },
      }
    },
    web: (handler, ...given) => {
      const requirement = readRequirement(given)
      return async (request) => {
        const user = await identify(readRequest(request), requirement)
        return user instanceof AccessError ? toResponse(user) : handler(request, user)
      }
    },
  }
}

/** @throws TypeError for a request of another framework, which has its headers elsewhere */
const readRequest = (request: Request | IncomingRequest): IncomingRequest => {
  if ('getHeader' in request) return request
  if (!(request.headers instanceof Headers))
    throw new TypeError('identifyUser needs a web Request, or an object with method, url and getHeader.')
  const { method, url, headers } = request
  return { method, url, getHeader: (name) => headers.get(name) ?? undefined }
}

/** Of some repeated headers, Node.js keeps only the first in `headers`. A proxy may have checked another one. */
const readExpressRequest = ({
  method,
  originalUrl,
  headers,
  headersDistinct,
}: ExpressRequest): IncomingRequest => ({
  method,
  url: originalUrl,
  getHeader: (name) => [headersDistinct?.[name] ?? headers[name]].flat().join(', ') || undefined,
})

const toResponse = ({ status, headers, body }: AccessError): Response =>
  new Response(body, { status, headers })

const toLambdaResponse = ({ status, headers, body }: AccessError): LambdaResponse => ({
  statusCode: status,
  headers,
  body,
})

const sendRefusal = (
  response: Omit<ExpressResponse<object>, 'locals'>,
  { status, headers, body }: AccessError,
): void => {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.end(body)
}

/** Payload 2.0 has the method in its context. An unknown one counts as a change. */
const readMethod = ({ httpMethod, requestContext }: LambdaEvent): string => {
  const { http } = (requestContext ?? {}) as { readonly http?: { readonly method?: string } }
  return httpMethod ?? http?.method ?? ''
}

/** The path with the stage, as clients send it. Each kind of event has it elsewhere. */
const readPath = ({ rawPath, requestContext }: LambdaEvent): string | undefined => {
  const { path } = (requestContext ?? {}) as { readonly path?: string }
  return path ?? rawPath
}

/** Reads an event of API Gateway. REST APIs pass the names of headers as they were sent. */
const readLambdaEvent = (event: LambdaEvent): IncomingRequest => {
  const headers = Object.entries(event.multiValueHeaders ?? event.headers ?? {})
  const cookies = event.cookies ?? []
  return {
    method: readMethod(event),
    url: readPath(event),
    getHeader: (name) => {
      const values = headers.flatMap(([sent, value]) => (sent.toLowerCase() === name ? (value ?? []) : []))
      if (name === 'cookie') return [...values, ...cookies].join('; ') || undefined
      return values.length === 0 ? undefined : values.join(', ')
    },
  }
}

/*
 * The parts of the frameworks that the middleware uses. Their packages are not imported, so that a product has only the
 * one that it uses.
 */

interface HonoContext {
  readonly req: { readonly method: string; readonly url?: string; header(name: string): string | undefined }
  set(name: 'user', value: unknown): void
}

interface ExpressRequest {
  readonly method: string
  readonly originalUrl?: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Every value of repeated headers. */
  readonly headersDistinct?: Readonly<Record<string, readonly string[] | undefined>>
}
/** A method, because middleware of a kind of user is also middleware of every user. It only writes the user. */
interface ExpressHandler<Caller extends object> {
  handle(request: ExpressRequest, response: ExpressResponse<Caller>, next: (error?: unknown) => void): void
}
interface ExpressResponse<Caller extends object> {
  locals: WithUser<Caller>
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
}

/** An event of an HTTP API (payload 2.0), a REST API or a function URL. */
interface LambdaEvent {
  readonly headers?: Readonly<Record<string, string | undefined>> | null
  /** Where REST APIs have every value of repeated headers. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null
  /** Where payload 2.0 has the cookies. */
  readonly cookies?: readonly string[]
  readonly httpMethod?: string
  /** The path in payload 2.0. */
  readonly rawPath?: string
  readonly requestContext?: unknown
}
interface LambdaResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
