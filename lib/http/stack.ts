import middy from '@middy/core'
import type { Operation } from '../contract/operation.ts'
import type { Services } from '../services.ts'
import { checkAccept } from './accept.ts'
import { authenticateCaller } from './authenticate.ts'
import { authorizeCaller } from './authorize.ts'
import { checkBody } from './body.ts'
import { type ErrorPage, handleErrors } from './error-handler.ts'
import { createRequestState, findOperation } from './find-operation.ts'
import { setHeaders } from './headers.ts'
import type { HttpContext, HttpEvent, HttpResult } from './http-types.ts'
import { logRequest } from './log-request.ts'
import { checkResponse } from './respond.ts'
import { validateRequest } from './validate.ts'

/**
 * What every request goes through, top to bottom on its way in and bottom to top on its way out. The order is part
 * of the security of the service: whatever refuses stands before whatever costs.
 */
export const stack = (services: Services, operations: readonly Operation[], errorPage?: ErrorPage) =>
  middy<HttpEvent, HttpResult, Error, HttpContext>()
    .use(createRequestState()) // first, so that whatever follows has a request id to name
    .use(logRequest(services)) // outermost on the way out: sees the answer as it leaves
    .use(setHeaders(services.config)) // outside of errors: theirs need the same headers
    .use(handleErrors(errorPage)) // turns whatever is thrown further in into a problem body
    .use(findOperation(operations)) // everything below reads its declaration
    .use(checkResponse(services)) // on the way out: our own faults become a 500 here
    .use(checkAccept()) // costs nothing
    .use(checkBody()) // size and type before anybody parses
    .use(authenticateCaller(services)) // one call to the table
    .use(authorizeCaller(services)) // a stranger learns nothing from validation
    .use(validateRequest()) // path, query and body at once; the use case gets what is whole
