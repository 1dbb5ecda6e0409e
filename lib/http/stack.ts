import middy from '@middy/core'
import type { Operation } from '../contract/operation.ts'
import type { Services } from '../services.ts'
import { checkAccept } from './accept.ts'
import { authenticateCaller } from './authenticate.ts'
import { authorizeCaller } from './authorize.ts'
import { checkBody } from './body.ts'
import { type ErrorPage, handleErrors } from './error-handler.ts'
import { createRequestState, findOperation } from './find-operation.ts'
import { omitHeadBody } from './head.ts'
import { setHeaders } from './headers.ts'
import type { HttpContext, HttpEvent, HttpResult } from './http-types.ts'
import { identifyClient } from './identify-client.ts'
import { identifyViewer } from './identify-viewer.ts'
import { logRequest } from './log-request.ts'
import { answerPreflight } from './preflight.ts'
import { requireFrontDoor } from './require-front-door.ts'
import { checkResponse } from './respond.ts'
import { validateRequest } from './validate.ts'

/**
 * Creates the steps that every request passes, from top to bottom on the way in and from bottom to top on the way out.
 * The order is part of the security of the service: steps that reject a request come before steps that cost something.
 */
export const createStack = (services: Services, operations: readonly Operation[], errorPage: ErrorPage) =>
  middy<HttpEvent, HttpResult, Error, HttpContext>()
    .use(createRequestState()) // First, because every other step can need the request ID.
    .use(omitHeadBody()) // Last on the way out, because the steps below read the body of the response.
    .use(requireFrontDoor(services)) // Costs nothing. Nothing else is read of a request that it refuses.
    .use(answerPreflight(services)) // Before the method is checked, because no operation has OPTIONS.
    .use(logRequest(services)) // Outermost on the way out, so that it sees the final response.
    .use(setHeaders(services.config)) // Outside of the error handler, because errors need the same headers.
    .use(handleErrors(errorPage)) // Responds to errors of all steps below.
    .use(identifyViewer(services)) // Before all steps that record or count the address. Costs no call.
    .use(findOperation(operations)) // All steps below read the declaration of the operation.
    .use(checkResponse(services)) // On the way out, a response that does not match becomes a 500.
    .use(checkAccept()) // Costs nothing.
    .use(checkBody()) // Checks size and type before the body is parsed.
    .use(identifyClient(services)) // The address that a product names comes first. Costs one call, and only with its header.
    .use(authenticateCaller(services)) // Costs one call to the table.
    .use(authorizeCaller(services)) // Comes before validation, so that strangers learn nothing from it.
    .use(validateRequest()) // Validates path, query, and body together for the use case.
