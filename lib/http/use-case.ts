import type * as z from 'zod/mini'
import type { Principal, SessionPrincipal } from '../accounts/callers/principal.ts'
import type { RequestContext } from '../accounts/callers/request-context.ts'
import type { OrganizationAccess } from '../features/organizations/access.ts'
import type { OrganizationTokenRecord } from '../features/organizations/tokens.records.ts'
import type { ScimCaller } from '../features/scim/find-token.ts'
import type { Operation, Schema } from '../kernel/contract/operation.ts'
import type { Services } from '../services.ts'
import type { RequestOrigin } from './authenticate.ts'
import type { RequestTarget } from './paging.ts'
import type { PlainReply } from './respond.ts'

/** A use case: what an operation does after its request was validated and its caller was authorized. */
export type UseCase<Op extends Operation> = (
  request: UseCaseRequest<Op>,
  services: Services,
) => Promise<Reply<Op>>

/** What every use case knows about its request, independent of its operation. */
export interface RequestFacts {
  readonly context: RequestContext
  /** For lists: their `Link` header contains the URL of the next page. */
  readonly target: RequestTarget
  /** Whether the request comes from a page of this service or from a client that is not a browser. */
  readonly isFromOwnOrigin: boolean
  /** Whether a page of this service sent the request, and not a typed address, a mail program, or another client. */
  readonly isFromOwnPage: boolean
  readonly origin: RequestOrigin
  /** Whether the session cookie authenticated the caller, instead of the `Authorization` header. */
  readonly usesCookie: boolean
  /** For clients of OAuth, which authenticate with a scheme of their own. */
  readonly authorizationHeader: string | undefined
  /** By which a client proves that it has a key (RFC 9449). */
  readonly dpopHeader: string | undefined
  /** On which versions of a resource a request depends (RFC 9110 13.1). */
  readonly ifMatchHeader?: string | undefined
  readonly ifNoneMatchHeader?: string | undefined
  /** The cookies of the request, each as `name=value`. */
  readonly cookies: readonly string[]
  /** Whether the caller is a browser that shows pages. */
  readonly acceptsHtml: boolean
}

export type UseCaseRequest<Op extends Operation> = RequestFacts & {
  readonly params: PathParams<Op['path']>
  readonly query: OutputOf<Op, 'query'>
  readonly body: OutputOf<Op, 'body'>
  readonly principal: PrincipalOf<Op>
} & OrganizationOf<Op>

/** A validated request whose operation is known only at run time. */
interface ValidatedRequest extends RequestFacts {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly principal: Principal | undefined
  readonly organization: OrganizationAccess | undefined
  readonly organizationToken: OrganizationTokenRecord | undefined
  readonly directory: ScimCaller | undefined
}

/** A use case whose operation is known only at run time. */
export type BoundUseCase = (request: ValidatedRequest, services: Services) => Promise<PlainReply>

/** Makes a use case callable with a request that was validated against the declaration of the same operation. */
export const bindUseCase =
  <Op extends Operation>(useCase: UseCase<Op>): BoundUseCase =>
  (request, services) =>
    // What the declaration says of the caller and the organization, the middleware has checked.
    useCase(request as unknown as UseCaseRequest<Op>, services)

/** One of the responses that the operation declares, with a body of the declared type. */
export type Reply<Op extends Operation> = {
  [Status in keyof Op['responses'] & number]: ReplyExtras & {
    readonly status: Status
  } & BodyOf<Op['responses'][Status]>
}[keyof Op['responses'] & number]

export interface ReplyExtras {
  readonly headers?: Readonly<Record<string, string>>
  /** Complete values of `Set-Cookie` headers. */
  readonly cookies?: readonly string[]
  /** See `PlainReply`. */
  readonly readableFrom?: readonly string[] | undefined
}

type BodyOf<Response> = Response extends Schema
  ? { readonly body: z.output<Response> }
  : Response extends null
    ? { readonly body?: undefined }
    : { readonly body: string | Uint8Array }

type OutputOf<Op, Part extends 'query' | 'body'> = Op extends { readonly [P in Part]: infer S extends Schema }
  ? z.output<S>
  : undefined

type PrincipalOf<Op extends Operation> = Op['access'] extends { readonly allow: 'anyone' }
  ? OptionalPrincipalOf<Op['access']>
  : Op['access'] extends { readonly by: readonly ['session'] }
    ? SessionPrincipal
    : AcceptsOrganization<Op> extends true
      ? Principal | undefined
      : Principal

/** API tokens of organizations and of directories belong to no user. */
type AcceptsOrganization<Op extends Operation> = Op['access'] extends {
  readonly by: infer By extends readonly unknown[]
}
  ? Extract<By[number], 'organization_token' | 'scim_token'> extends never
    ? false
    : true
  : false

/** Operations with the ID of an organization in their path know it, and what the caller may do in it. */
type OrganizationOf<Op extends Operation> = Op['access'] extends { readonly allow: 'role' }
  ? { readonly organization: OrganizationAccess }
  : Op['access'] extends { readonly by: readonly ['organization_token'] }
    ? { readonly organization: OrganizationAccess; readonly organizationToken: OrganizationTokenRecord }
    : Op['access'] extends { readonly by: readonly ['scim_token'] }
      ? { readonly directory: ScimCaller }
      : unknown

type OptionalPrincipalOf<Given> = Given extends { readonly credential: 'optional' }
  ? Given extends { readonly by: readonly unknown[] }
    ? Principal | undefined
    : SessionPrincipal | undefined
  : undefined

type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [P in Name]: P extends 'id' | `${string}_id` ? number : string } & PathParams<Rest>
  : object
