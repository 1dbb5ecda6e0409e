import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import type { Principal } from '../accounts/callers/principal.ts'
import type { OrganizationAccess } from '../features/organizations/access.ts'
import type { OrganizationCaller } from '../features/organizations/find-token.ts'
import type { ScimCaller } from '../features/scim/find-token.ts'
import type { Operation } from '../kernel/contract/operation.ts'

export type HttpEvent = APIGatewayProxyEventV2
export type HttpResult = APIGatewayProxyStructuredResultV2

/** What the middleware in front of a use case has found out about the request. Each adds its part. */
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
  /** The organization that calls with an API token of its own. There is no principal then. */
  organizationCaller?: OrganizationCaller
  /** The directory of a customer that calls with a token of its connection. There is no principal then. */
  scimCaller?: ScimCaller
  /** Whether the session cookie identified the principal. */
  usesCookie?: boolean
  /** The API token of a product that names the address of its user. It is not the caller. */
  product?: Principal
  /** The address that the product named, once the product is known to have the right to. */
  clientAddress?: string
  /** The values that fields must still have for the change. */
  ifUnchanged?: Readonly<Record<string, unknown>>
  /** The organization that the request is about, with what the caller may do in it. */
  organization?: OrganizationAccess
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

/** The address of the sender of the request: the viewer, or the server of a product. */
export const getSenderAddress = (event: HttpEvent, { requestState }: HttpContext): string =>
  requestState.viewerAddress ?? event.requestContext.http.sourceIp

/** Returns a header by its lowercase name. API Gateway delivers all names in lowercase. */
export const getHeader = (event: Pick<HttpEvent, 'headers'>, name: string): string | undefined =>
  event.headers[name]

/** Returns the path of the route that API Gateway chose, or `nameRoute` found: `/api/2/users/{id}`. */
export const readRoutePath = ({ routeKey }: Pick<HttpEvent, 'routeKey'>): string =>
  routeKey.split(' ')[1] ?? ''
