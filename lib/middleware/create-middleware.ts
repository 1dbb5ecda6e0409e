import { AccessError } from './access-error.ts'
import type {
  ExpressRequest,
  ExpressResponse,
  HonoContext,
  LambdaEvent,
  LambdaResponse,
} from './frameworks.ts'
import {
  createIdentifyUser,
  type IdentifyUser,
  type MiddlewareOptions,
  type Requirement,
  type User,
} from './identify-user.ts'
import { readLambdaEvent } from './lambda-request.ts'

/** Middleware that lets only signed-in callers through. Others get a problem body with 401, 403, 429 or 502. */
export interface Middleware {
  /** For Hono. The user is `c.get('user')`. */
  hono(
    requirement?: Requirement,
  ): (c: HonoContext, next: () => Promise<void>) => Promise<Response | undefined>
  /** For Express 4 and 5. The user is `response.locals.user`. */
  express(
    requirement?: Requirement,
  ): (request: ExpressRequest, response: ExpressResponse, next: (error?: unknown) => void) => void
  /** For Lambda functions behind API Gateway and function URLs. The handler gets the user as its third argument. */
  lambda<Event extends LambdaEvent, Context, Result>(
    handler: (event: Event, context: Context, user: User) => Promise<Result>,
    requirement?: Requirement,
  ): (event: Event, context: Context) => Promise<Result | LambdaResponse>
  /** For middy. The user is `context.user`. */
  middy(requirement?: Requirement): {
    before(request: {
      readonly event: LambdaEvent
      readonly context: object
    }): Promise<LambdaResponse | undefined>
  }
  /** For other frameworks. Returns the user, or throws an `AccessError` with the response. */
  readonly identifyUser: IdentifyUser
}

/** Creates middleware that asks the service who is calling. @throws TypeError if `baseUrl` is not accepted */
export const createMiddleware = (options: MiddlewareOptions): Middleware => {
  const identifyUser = createIdentifyUser(options)
  const identify = (...given: Parameters<IdentifyUser>): Promise<User | AccessError> =>
    identifyUser(...given).catch((error: unknown) => {
      if (error instanceof AccessError) return error
      throw error
    })
  return {
    identifyUser,
    hono: (requirement) => async (c, next) => {
      const request = { method: c.req.method, getHeader: (name: string) => c.req.header(name) }
      const user = await identify(request, requirement)
      if (user instanceof AccessError)
        return new Response(user.body, { status: user.status, headers: user.headers })
      c.set('user', user)
      await next()
      return undefined
    },
    express: (requirement) => (request, response, next) => {
      const getHeader = (name: string) => [request.headers[name]].flat().join(', ') || undefined
      identify({ method: request.method, getHeader }, requirement).then((user) => {
        if (user instanceof AccessError) return sendRefusal(response, user)
        response.locals['user'] = user
        next()
      }, next)
    },
    lambda: (handler, requirement) => async (event, context) => {
      const user = await identify(readLambdaEvent(event), requirement)
      return user instanceof AccessError ? toLambdaResponse(user) : handler(event, context, user)
    },
    middy: (requirement) => ({
      before: async ({ event, context }) => {
        const user = await identify(readLambdaEvent(event), requirement)
        if (user instanceof AccessError) return toLambdaResponse(user)
        Object.assign(context, { user })
        return undefined
      },
    }),
  }
}

const toLambdaResponse = ({ status, headers, body }: AccessError): LambdaResponse => ({
  statusCode: status,
  headers,
  body,
})

const sendRefusal = (response: ExpressResponse, { status, headers, body }: AccessError): void => {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.end(body)
}
