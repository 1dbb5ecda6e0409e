import middy from '@middy/core'
import { admitOrigins } from '../../http/cross-origin.ts'
import { type ErrorPage, handleErrors } from '../../http/error-handler.ts'
import type { HttpContext, HttpEvent, HttpResult } from '../../http/http-types.ts'
import { identifyViewer, requireFrontDoor } from '../../http/identify-client.ts'
import { createRequestState, logRequest } from '../../http/request-state.ts'
import {
  createMethodNotAllowed,
  createUnknownPathError,
  omitHeadBody,
  setHeaders,
} from '../../http/respond.ts'
import type { Services } from '../../services.ts'

/** The path of an operation, with `{name}` for each parameter, and its methods. */
interface Route {
  readonly path: string
  readonly methods: readonly string[]
}

/**
 * Creates the handler of requests that match no route: 405 with the methods of a known path, and 404 otherwise. Browsers
 * that open a page get the error page, and all other clients a problem body.
 */
export const createUnmatchedHandler = (
  services: Services,
  routes: readonly Route[],
  errorPage: ErrorPage,
) => {
  const known = routes.map(({ path, methods }) => ({ methods, pattern: toPattern(path) }))
  return middy<HttpEvent, HttpResult, Error, HttpContext>()
    .use(createRequestState())
    .use(omitHeadBody())
    .use(requireFrontDoor(services))
    .use(admitOrigins(services))
    .use(logRequest(services))
    .use(setHeaders(services.config))
    .use(handleErrors(errorPage))
    .use(identifyViewer(services))
    .handler(async ({ rawPath, requestContext }) => {
      const methods = known.filter(({ pattern }) => pattern.test(rawPath)).flatMap((route) => route.methods)
      // API Gateway decodes the raw path once more than the path that it matches, so the method can be an allowed one.
      if (methods.length === 0 || methods.some((method) => method === requestContext.http.method))
        throw createUnknownPathError(services.config)
      throw createMethodNotAllowed(methods)
    })
}

const toPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
