import type { CredentialKind } from '../../contract/access.ts'
import type { SessionRecord } from '../../store/records/session-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'

/** The authenticated caller. */
export interface Principal {
  /** The user whose permissions count: during impersonation, the impersonated user. */
  readonly user: UserRecord
  /** The administrator who impersonates `user`. */
  readonly actor?: UserRecord
  readonly kind: CredentialKind
  /** The hash of the credential. Tickets created with the credential are revoked with it. */
  readonly hash: string
  /** The session, if the credential is one. */
  readonly session?: SessionRecord
}

/** A caller who authenticated with a session. */
export interface SessionPrincipal extends Principal {
  readonly session: SessionRecord
}
