import type { Principal, SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { OrganizationMembership } from './memberships.records.ts'

interface Acting {
  /** The organization that the caller acts in. What they may do elsewhere has then no effect. */
  readonly organization?: OrganizationMembership
}

/** The authenticated caller, with the organization that the request names. */
export type ActingPrincipal = Principal & Acting

/** The same for a caller who authenticated with a session. */
export type ActingSession = SessionPrincipal & Acting
