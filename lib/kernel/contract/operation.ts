import type * as z from 'zod/mini'
import type { RateLimitName } from '../limits/rate-limits.ts'
import type { Access } from './access.ts'
import type { AuditEventName } from './audit-events.ts'
import type { Example, FieldText } from './describe.ts'
import type { Group, Tag } from './group.ts'
import type { Seal } from './managed-kinds.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Schema = z.ZodMiniType

/** The error codes that a use case can return. `listErrors` adds those of the steps before it. */
export type OperationError =
  | 'not_found'
  | 'conflict'
  | 'permission_denied'
  | 'not_authenticated'
  | 'login_failed'
  | 'login_incomplete'
  | 'password_rejected'
  | 'invalid_token'
  | 'too_many_requests'
  | 'upstream_failed'

/** The responses other than problems, by status: a schema for a JSON body, `null` for no body, a media type for any other body. */
export type Responses = { readonly [status: number]: Schema | MediaType | null }
export type MediaType = `${string}/${string}`

/**
 * The only declaration of an operation of the HTTP interface. API routes, the local gateway, the checks before a use
 * case, and the types of the use case all come from it.
 */
export interface Operation {
  /** The operation's name in the interface, snake_case. */
  readonly id: string
  readonly group: Group
  /** The tag in the OpenAPI document. The default is the group. */
  readonly tag?: Tag
  readonly method: Method
  /** The path, with `{id}` or `{name_id}` for an integer ID and any other `{name}` for a text. */
  readonly path: string
  readonly access: Access
  readonly summary: string
  readonly body?: Schema
  /** For operations that accept `null` and an empty body like an empty object. */
  readonly isBodyOptional?: true
  /** How the body is encoded. The default is JSON. `scim` is JSON with a media type of its own as well. */
  readonly bodyType?: 'json' | 'form' | 'scim'
  /** A larger body is rejected with a 413. The default is 64 KiB. */
  readonly bodyLimitBytes?: number
  /** An object schema for the query parameters, which all arrive as text. */
  readonly query?: Schema
  readonly responses: Responses
  /** The error codes of the use case. The tests fail if it answers with any other code. */
  readonly errors?: readonly OperationError[]
  /**
   * The audit events of the use case: those of successes first. The tests fail if it writes any other. Every operation can write
   * `access.denied`.
   */
  readonly audit?: readonly AuditEventName[]
  /** The rate limits that the use case and its emails count. The tests fail if the use case counts any other. */
  readonly limits?: readonly RateLimitName[]
  /**
   * For endpoints of OAuth, whose errors have the form of RFC 6749 5.2, and those of SCIM, with the form of RFC 7644 3.12. The default is a
   * problem body.
   */
  readonly errorFormat?: 'oauth' | 'scim'
  /** For documents that every client can read, with any `Accept` header. */
  readonly ignoresAccept?: true
  /**
   * Which pages of other origins may read the response. The default is those of `allowedOrigins`. `origins_of_client` adds those
   * of the public client that the request is of, by its redirect URIs.
   */
  readonly readableFrom?: 'every_origin' | 'origins_of_client' | 'no_other_origin'
  /** For a GET that changes something, so that another site cannot trigger it with the user's cookie. */
  readonly changesState?: true
  /** For a GET that starts or completes something else, such as a step of a SAML flow. It does not answer HEAD. */
  readonly isFlowStep?: true
  /**
   * For operations that end a session or an impersonation. They accept the session even if its user, or the impersonated
   * user, is not active.
   */
  readonly endsSession?: EndsSession
  /** For operations that only users themselves may do. Impersonations and sessions opened by access links are rejected. */
  readonly notWhileImpersonating?: true
  /**
   * For operations that the server of a product calls for its users. With the header `Latchkey-Client-Address` and the right
   * API token, it can name the address of the user.
   */
  readonly acceptsProduct?: true
  /**
   * For operations that answer for an organization if the header `Latchkey-Organization` names one. Others ignore the header: they
   * act for the account.
   */
  readonly acceptsOrganization?: true
  /**
   * For changes that can depend on what fields still are: the header `Latchkey-If-Unchanged` names their values. Others refuse the header.
   */
  readonly acceptsIfUnchanged?: true
  /**
   * For changes that would make a stolen session permanent. The user of the session must have proved their identity
   * recently: see `recentAuthenticationMs` in the configuration. `for_sign_in_and_rights` leaves it to the use case which
   * requests these are, because that depends on what is stored: those that set the email address of an account, that give
   * or take a privileged permission, or that decide whether a holder of one can sign in.
   */
  readonly recentAuthentication?: true | 'for_sign_in_and_rights'
  /**
   * For operations by which somebody other than its owner decides how an account signs in: the caller, or the company
   * connection that answers. The account then has no right that the decider lacks: see `directory/rights/rights-limit.ts`. A test
   * fails if another operation writes how the account of somebody else signs in.
   */
  readonly decidesSignIn?: 'caller' | 'connection'
  /**
   * For operations that change what configuration documents can manage. They refuse with a `conflict` to change what one does
   * manage: see `lib/features/configuration/seal.records.ts`. A test fails if another operation changes it.
   */
  readonly seals?: Seal
  /**
   * For operations that can change what a directory keeps of an account. `refused`: it is a `conflict`. `by_connection`: the directory, or a
   * sign-in through its connection, acts. `ends_access`: access ends, which is never refused for this reason. Without it, such a change is
   * refused as well: see `lib/features/scim/local-changes.ts`.
   */
  readonly localChange?: 'refused' | 'by_connection' | 'ends_access'
  /** The query parameter without which credentials are not read, so that most requests need no call to the table. */
  readonly readsCredentialWith?: string
  /**
   * For operations that a session may call before its user has set up the second factor that the policy requires. Without
   * a passkey, it is not allowed where the policy accepts only passkeys.
   */
  readonly allowsSetupSession?: true | 'without_passkey'
  /**
   * For operations that a session may call which only connections of organizations opened: see
   * `lib/features/sign-in/organization-sessions.ts`. Operations with a role accept it in these organizations.
   */
  readonly allowsOrganizationSession?: true
  /** What the OpenAPI document says about it. Functions are bundled without texts. */
  readonly text?: () => OperationText
}

export interface OperationText {
  /** What callers get and what changes, in CommonMark. The rules of access are added from the declaration. */
  readonly description: string
  /** The parameters of the path and the query, apart from those of every list: `limit`, `offset`, `cursor`, `ordering`. */
  readonly parameters: Readonly<Record<string, FieldText>>
  readonly request?: readonly Example[]
  /** The bodies of responses, by status. Errors have their own examples, built from codes and reasons. */
  readonly responses?: { readonly [status: number]: readonly Example[] | undefined }
}

/** A text for each parameter, and examples of responses that the operation has. */
interface TextOf<Op extends Operation> extends OperationText {
  readonly parameters: { readonly [Name in ParameterName<Op>]: FieldText }
  readonly responses?: { readonly [Status in keyof Op['responses'] & number]?: readonly Example[] }
}

type PathName<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathName<Rest> : never
type QueryName<Op extends Operation> = Op['query'] extends Schema
  ? keyof z.input<Op['query']> & string
  : never
type ParameterName<Op extends Operation> = Exclude<
  PathName<Op['path']> | QueryName<Op>,
  'limit' | 'offset' | 'cursor' | 'ordering'
>

export type EndsSession = 'session' | 'impersonation'

/** Declares an operation with its text. The literal types of the declaration type its use case. */
export const defineOperation = <const Op extends Operation>(
  declaration: Op & { readonly text: () => TextOf<NoInfer<Op>> },
): Op => declaration

/** Whether the operation changes something: every method except GET, and a GET that declares it. */
export const changesState = (op: Pick<Operation, 'method' | 'changesState'>): boolean =>
  op.method !== 'GET' || op.changesState === true

/**
 * Whether HEAD is answered like GET, without the body (RFC 9110 9.3.2). A GET that changes something refuses HEAD: link
 * checkers and mail scanners send it, and an answer without the change would not be that of GET.
 */
export const answersHead = (op: Pick<Operation, 'method' | 'changesState' | 'isFlowStep'>): boolean =>
  op.method === 'GET' && !op.changesState && !op.isFlowStep

/** Returns the methods of an operation: its own, and HEAD where it is answered. */
export const listMethods = (op: Operation): readonly (Method | 'HEAD')[] =>
  answersHead(op) ? [op.method, 'HEAD'] : [op.method]

/** Returns method and path of an operation: `POST /api/2/auth/login`. */
export const getRouteKey = (op: Pick<Operation, 'method' | 'path'>): string => `${op.method} ${op.path}`
