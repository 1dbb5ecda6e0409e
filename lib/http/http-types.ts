import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import type { Principal } from '../accounts/common/principal.ts'
import type { Operation } from '../contract/operation.ts'

export type HttpEvent = APIGatewayProxyEventV2
export type HttpResult = APIGatewayProxyStructuredResultV2

/** What the steps in front of a use case found out about the request so far. */
export interface RequestState {
  readonly startedAt: number
  /** Given by API Gateway; one that a client sends plays no part. */
  readonly requestId: string
  operation?: Operation
  principal?: Principal
  /** The input of the use case, of the types that its operation declares. */
  input?: { readonly params: unknown; readonly query: unknown; readonly body: unknown }
}

export type HttpContext = Context & { requestState: RequestState }
export type Middleware = MiddlewareObj<HttpEvent, HttpResult, Error, HttpContext>

/** The operation of a request whose route is known by now. */
export const getOperation = (context: HttpContext): Operation => {
  const { operation } = context.requestState
  if (!operation) throw new Error('no operation was found for the request')
  return operation
}

/** A header by its lower-case name, as API Gateway hands it over. */
export const getHeader = (event: HttpEvent, name: string): string | undefined => event.headers[name]
