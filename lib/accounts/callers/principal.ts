import type { CredentialKind } from '../../kernel/contract/access.ts'
import type { SessionRecord } from '../sessions/stored-session.records.ts'
import type { UserRecord } from '../users/stored-user.records.ts'

/** How a caller is known: by a credential, or as a document, which may do what an administrator may. */
export type CallerKind = CredentialKind | 'configuration'

/** The authenticated caller. */
export interface Principal {
  /** The user whose permissions count: during impersonation, the impersonated user. */
  readonly user: UserRecord
  /** The administrator who impersonates `user`. */
  readonly actor?: UserRecord
  readonly kind: CallerKind
  /** The hash of the credential. Tickets created with the credential are revoked with it. */
  readonly hash: string
  /** The session, if the credential is one. */
  readonly session?: SessionRecord
  /** The API token, if the credential is one. Without `expiresAt`, it works for an unlimited time. */
  readonly apiToken?: { readonly id: number; readonly expiresAt?: number }
  /** The scopes of the API token. Undefined if the caller may do all that their user may. */
  readonly scopes?: readonly string[]
}

/** The caller as the rules about permissions see them. */
export type Caller = Pick<Principal, 'user' | 'kind' | 'scopes'>

/** A caller who authenticated with a session. */
export interface SessionPrincipal extends Principal {
  readonly session: SessionRecord
}
