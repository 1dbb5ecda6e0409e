import type { CredentialKind } from '../../contract/access.ts'
import type { SessionRecord } from '../../store/records/session-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'

/** Who is asking, proven by a credential. */
export interface Principal {
  /** Whose rights count: the impersonated user's, while there is one. */
  readonly user: UserRecord
  /** The administrator who goes on as `user`, while one does. */
  readonly actor?: UserRecord
  readonly kind: CredentialKind
  /** The hash of the credential, which tickets that it makes die with. */
  readonly hash: string
  /** The session, where the credential is one: all others stand for their user alone. */
  readonly session?: SessionRecord
}

export interface SessionPrincipal extends Principal {
  readonly session: SessionRecord
}
