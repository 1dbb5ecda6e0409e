import type * as z from 'zod/mini'
import type { Access } from './access.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One group is one Lambda function: the folder of this name under `functions/`. */
export type Group =
  | 'tickets'
  | 'sessions'
  | 'passwords'
  | 'impersonation'
  | 'access-tokens'
  | 'api-tokens'
  | 'saml-providers'
  | 'saml-flow'
  | 'users'
  | 'groups'
  | 'user-templates'
  | 'audit'
  | 'pages'

export type Schema = z.ZodMiniType

/** What a use case itself may answer with. `declaredErrors` adds what the steps in front of it answer with. */
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

/** The success answers: a schema for a JSON body, `null` for an empty one, a media type for any other. */
export type Responses = { readonly [status: number]: Schema | MediaType | null }
export type MediaType = `${string}/${string}`

/**
 * One operation of the HTTP interface, declared once. The routes of the API, the local gateway, the checks
 * in front of a use case and the types of the use case itself are all read from here.
 */
export interface Operation {
  /** The operation's name in the interface, snake_case. */
  readonly id: string
  readonly group: Group
  readonly method: Method
  /** The path, with `{id}` for an integer id and any other `{name}` for a text. */
  readonly path: string
  readonly access: Access
  readonly summary: string
  readonly body?: Schema
  /** How the body is encoded; JSON when left out. */
  readonly bodyType?: 'json' | 'form'
  /** Above this the body is refused with a 413; 64 KiB when left out. */
  readonly bodyLimitBytes?: number
  /** An object schema over the query parameters, each of which arrives as text. */
  readonly query?: Schema
  readonly responses: Responses
  /** The error codes of the use case. The tests fail if it answers with any other code. */
  readonly errors?: readonly OperationError[]
  /** Said of a document that is read by whoever asks for it, in whatever words: `Accept` plays no part. */
  readonly ignoresAccept?: true
  /** Said of a GET that changes something, so that another site can't trigger it with the user's cookie. */
  readonly changesState?: true
  /**
   * Said of what ends a session, or its going on as somebody else: then the session counts though its user could not
   * act at the moment, or though the one it goes on as could not.
   */
  readonly endsSession?: EndsSession
  /** Said of what only a person itself may do: who goes on as somebody else, or came in by a link, is refused. */
  readonly notWhileImpersonating?: true
}

export type EndsSession = 'session' | 'impersonation'

/** Keeps the literal types of a declaration, which type its use case. */
export const operation = <const Op extends Operation>(declaration: Op): Op => declaration

/** Whether the operation changes something: every method but GET, and a GET that says so. */
export const changesState = (op: Operation): boolean => op.method !== 'GET' || op.changesState === true

/** The key of the operation's route in API Gateway: `POST /api/2/auth/login`. */
export const getRouteKey = (op: Pick<Operation, 'method' | 'path'>): string => `${op.method} ${op.path}`
