import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import type { Principal } from '../features/access/principal.ts'
import type { Operation } from '../kernel/contract/operation.ts'
import { AppError } from '../kernel/errors/errors.ts'

export type HttpEvent = APIGatewayProxyEventV2
export type HttpResult = APIGatewayProxyStructuredResultV2

/** What the steps in front of a use case have found out about the request. Each step adds its part. */
export interface RequestState {
  /** The value of `performance.now()` when the request arrived. */
  readonly startedAt: number
  /** The ID that API Gateway assigned. An ID that the client sends is ignored. */
  readonly requestId: string
  /** Whether the request came through the front door. */
  isFromFrontDoor?: boolean
  /** The address of the viewer, if it is not that of the connection. */
  viewerAddress?: string
  /** The country of the viewer, if the front door knows it: ISO 3166-1 alpha-2. */
  viewerCountry?: string
  operation?: Operation
  principal?: Principal
  /** Whether the session cookie identified the principal. */
  usesCookie?: boolean
  /** The API token of a product that names the address of its user. It is not the caller. */
  product?: Principal
  /** The address that the product named, once the product is known to have the right to. */
  clientAddress?: string
  /** The origins of the client whose pages may read the response. */
  readableFrom?: readonly string[]
  /** The validated input of the use case, with the types that its operation declares. */
  input?: { readonly params: unknown; readonly query: unknown; readonly body: unknown }
}

export type HttpContext = Context & { requestState: RequestState }
export type Middleware = MiddlewareObj<HttpEvent, HttpResult, Error, HttpContext>

/** Returns the operation of a request. @throws Error if `findOperation` has not run. */
export const getOperation = (context: HttpContext): Operation => {
  const { operation } = context.requestState
  if (!operation) throw new Error('The operation of the request is not known.')
  return operation
}

/** Returns a header by its lowercase name. API Gateway delivers all names in lowercase. */
export const getHeader = (event: Pick<HttpEvent, 'headers'>, name: string): string | undefined =>
  event.headers[name]

/** Returns the path of the route that API Gateway chose: `/api/2/users/{id}`. */
export const readRoutePath = ({ routeKey }: Pick<HttpEvent, 'routeKey'>): string =>
  routeKey.split(' ')[1] ?? ''

/**
 * Rejects a caller that reads none of the operation's media types. RFC 9110 12.5.1 leaves this to the server. Empty
 * responses suit every caller, and an operation can declare that `Accept` does not matter.
 */
export const checkAccept = (): Middleware => ({
  before: ({ event, context }) => {
    const { responses, ignoresAccept } = getOperation(context)
    if (ignoresAccept) return
    const types = Object.values(responses)
      .filter((response) => response !== null)
      .map((response) => (typeof response === 'string' ? response : 'application/json'))
    if (types.length > 0 && !types.some((type) => accepts(event, type))) throw new AppError('not_acceptable')
  },
})

/** Whether the `Accept` header allows a media type. Without the header, every type is allowed (RFC 9110 12.5.1). */
export const accepts = (event: HttpEvent, type: string): boolean => {
  const header = getHeader(event, 'accept')?.trim()
  if (!header) return true
  const [mainType] = type.split('/')
  const ranges = header.split(',').map((range) =>
    range
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/),
  )
  const getQuality = (name: string): number | undefined => {
    const parameters = ranges.find(([range]) => range === name)?.slice(1)
    return parameters && Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1)
  }
  return (getQuality(type) ?? getQuality(`${mainType}/*`) ?? getQuality('*/*') ?? 0) > 0
}

/** Whether the `Accept` header lists HTML, as browsers do when they open a page. */
export const acceptsHtml = (event: HttpEvent): boolean =>
  /\btext\/html\b/i.test(getHeader(event, 'accept') ?? '')
