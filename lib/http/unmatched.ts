import middy from '@middy/core'
import type { Operation } from '../contract/operation.ts'
import { AppError, notFound } from '../core/errors.ts'
import { createServices } from '../services.ts'
import { handleErrors } from './error-handler.ts'
import { createRequestState } from './find-operation.ts'
import { setHeaders } from './headers.ts'
import type { HttpContext, HttpEvent, HttpResult } from './http-types.ts'
import { logRequest } from './log-request.ts'

/** Answers what no route took: 405 naming the methods of the path, or 404 where the path isn't one. */
export const unmatchedHandler = (operations: readonly Pick<Operation, 'method' | 'path'>[]) => {
  const services = createServices(process.env)
  const routes = operations.map(({ method, path }) => ({ method, pattern: patternOf(path) }))
  return middy<HttpEvent, HttpResult, Error, HttpContext>()
    .use(createRequestState())
    .use(logRequest(services))
    .use(setHeaders(services.config))
    .use(handleErrors())
    .handler(async ({ rawPath }) => {
      const methods = routes.filter(({ pattern }) => pattern.test(rawPath)).map(({ method }) => method)
      if (methods.length === 0) throw notFound()
      throw new AppError('method_not_allowed', {
        headers: { allow: [...new Set(methods)].sort().join(', ') },
      })
    })
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
