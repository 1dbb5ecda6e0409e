import type { CredentialKind } from '../../kernel/contract/access.ts'
import type { ApiTokenRecord } from '../api-tokens/records.ts'
import type { UserRecord } from '../directory/user.records.ts'
import type { OrganizationMembership } from '../organizations/memberships.records.ts'
import type { SessionRecord } from '../sign-in/session.records.ts'

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
  /** The API token, if the credential is one. */
  readonly apiToken?: ApiTokenRecord
  /** The organization that the caller acts in. What they may do elsewhere has then no effect. */
  readonly organization?: OrganizationMembership
  /** The scopes of the API token. Undefined if the caller may do all that their user may. */
  readonly scopes?: readonly string[]
}

/** The caller as the rules about permissions see them. */
export type Caller = Pick<Principal, 'user' | 'kind' | 'scopes'>

/** A caller who authenticated with a session. */
export interface SessionPrincipal extends Principal {
  readonly session: SessionRecord
}
