import middy from '@middy/core'
import { routes } from '../../lib/features/pages/routes.prebuilt.ts'
import { admitOrigins } from '../../lib/http/cross-origin.ts'
import { type ErrorPage, handleErrors } from '../../lib/http/error-handler.ts'
import type { HttpContext, HttpEvent, HttpResult } from '../../lib/http/http-types.ts'
import { identifyViewer, requireFrontDoor } from '../../lib/http/identify-client.ts'
import { createRequestState, logRequest } from '../../lib/http/request-state.ts'
import { createMethodNotAllowed, omitHeadBody, setHeaders } from '../../lib/http/respond.ts'
import { notFound } from '../../lib/kernel/errors/errors.ts'
import { createServices, type Services } from '../../lib/services.ts'

/** The path of an operation, with `{name}` for each parameter, and its methods. */
interface Route {
  readonly path: string
  readonly methods: readonly string[]
}

/**
 * Creates the handler of requests that match no route: 405 with the methods of a known path, and 404 otherwise. Browsers
 * that open a page get the error page, and all other clients a problem body.
 */
const createUnmatchedHandler = (
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

// Most answers go to programs, so the page is loaded on demand.
export const handler = createUnmatchedHandler(routes, (services) => async (problem, event) => {
  const { unmatchedErrorPage } = await import('../../lib/features/pages/unmatched.page.ts')
  return unmatchedErrorPage(services)(problem, event)
})
