import type * as z from 'zod/mini'
import type { Principal, SessionPrincipal } from '../accounts/common/principal.ts'
import type { RequestContext } from '../accounts/common/request-context.ts'
import type { CredentialKind } from '../contract/access.ts'
import type { Operation, Schema } from '../contract/operation.ts'
import type { Services } from '../services.ts'
import type { RequestOrigin } from './origin.ts'
import type { Target } from './paging.ts'

/** A use case: what an operation does, once the request is known to be whole and its caller to be allowed. */
export type UseCase<Op extends Operation> = (
  request: UseCaseRequest<Op>,
  services: Services,
) => Promise<Reply<Op>>

export interface UseCaseRequest<Op extends Operation> {
  readonly params: PathParams<Op['path']>
  readonly query: OutputOf<Op, 'query'>
  readonly body: OutputOf<Op, 'body'>
  readonly principal: PrincipalOf<Op>
  readonly context: RequestContext
  /** For lists, whose answer has the address of the next page. */
  readonly target: Target
  /** Whether a browser sent this from one of our own pages, or no browser sent it. */
  readonly isFromOwnOrigin: boolean
  /** From whose page a browser sent this, where it says so. */
  readonly origin: RequestOrigin
  /** The cookies that came along, each as `name=value`. */
  readonly cookies: readonly string[]
  /** Whether the caller is a browser that shows pages. */
  readonly acceptsHtml: boolean
}

/** One of the answers that the operation declares, its body of the declared type. */
export type Reply<Op extends Operation> = {
  [Status in keyof Op['responses'] & number]: ReplyExtras & {
    readonly status: Status
  } & BodyOf<Op['responses'][Status]>
}[keyof Op['responses'] & number]

export interface ReplyExtras {
  readonly headers?: Readonly<Record<string, string>>
  /** Whole values of `Set-Cookie`. */
  readonly cookies?: readonly string[]
}

type BodyOf<Answer> = Answer extends Schema
  ? { readonly body: z.output<Answer> }
  : Answer extends null
    ? { readonly body?: undefined }
    : { readonly body: string }

type OutputOf<Op, Part extends 'query' | 'body'> = Op extends { readonly [P in Part]: infer S extends Schema }
  ? z.output<S>
  : undefined

type PrincipalOf<Op extends Operation> = Op['access'] extends { readonly allow: 'anyone' }
  ? Op['access'] extends { readonly credential: 'optional' }
    ? SessionPrincipal | undefined
    : undefined
  : Op['access'] extends { readonly by: infer Kinds extends readonly CredentialKind[] }
    ? 'reset_token' extends Kinds[number]
      ? Principal
      : SessionPrincipal
    : never

type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [P in Name]: P extends 'id' ? number : string } & PathParams<Rest>
  : object
