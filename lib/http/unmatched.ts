import middy from '@middy/core'
import { notFound } from '../errors/errors.ts'
import { createServices, type Services } from '../services.ts'
import { admitOrigins } from './cross-origin.ts'
import { type ErrorPage, handleErrors } from './error-handler.ts'
import { createRequestState } from './find-operation.ts'
import type { HttpContext, HttpEvent, HttpResult } from './http-types.ts'
import { identifyViewer } from './identify-client.ts'
import { logRequest } from './log-request.ts'
import { createMethodNotAllowed, omitHeadBody } from './methods.ts'
import { requireFrontDoor } from './require-front-door.ts'
import { setHeaders } from './respond.ts'

/** The path of an operation, with `{name}` for each parameter, and its methods. */
export interface Route {
  readonly path: string
  readonly methods: readonly string[]
}

/**
 * Creates the handler of requests that match no route: 405 with the methods of a known path, and 404 otherwise. Browsers
 * that open a page get the error page, and all other clients a problem body.
 */
export const createUnmatchedHandler = (
  routes: readonly Route[],
  createErrorPage: (services: Services) => ErrorPage,
) => {
  const services = createServices(process.env)
  const known = routes.map(({ path, methods }) => ({ methods, pattern: toPattern(path) }))
  return middy<HttpEvent, HttpResult, Error, HttpContext>()
    .use(createRequestState())
    .use(omitHeadBody())
    .use(requireFrontDoor(services))
    .use(admitOrigins(services))
    .use(logRequest(services))
    .use(setHeaders(services.config))
    .use(handleErrors(createErrorPage(services)))
    .use(identifyViewer(services))
    .handler(async ({ rawPath, requestContext }) => {
      const methods = known.filter(({ pattern }) => pattern.test(rawPath)).flatMap((route) => route.methods)
      // API Gateway decodes the raw path once more than the path that it matches, so the method can be an allowed one.
      if (methods.length === 0 || methods.some((method) => method === requestContext.http.method))
        throw notFound()
      throw createMethodNotAllowed(methods)
    })
}

const toPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
