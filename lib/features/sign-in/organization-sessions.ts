import type { Principal } from '../../accounts/callers/principal.ts'
import type { OrganizationProof, RightsProof } from '../../accounts/sessions/stored-session.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import { withoutRestingRights } from './resting-rights.ts'

/*
 * A customer chose the identity provider of a connection of its organization, and could name anyone there. So a session that only
 * such connections opened proves nothing outside of these organizations. Operations refuse it unless they declare
 * `allowsOrganizationSession`, its user has no permissions and groups, and it gives tokens of these organizations alone.
 */

/** Whether nothing but connections of organizations proved who has a session. */
export const isLimitedToOrganizations = ({ session }: Pick<Principal, 'session'>): boolean =>
  session?.limitedTo === 'organizations'

type Prover = Pick<Principal, 'session' | 'actor'>

/**
 * An administrator who impersonates someone signed in as themselves, so their proofs say nothing about that person.
 */
const listProofs = ({ session, actor }: Prover): readonly OrganizationProof[] =>
  (actor ? undefined : session?.organizationProofs) ?? []

/** A membership that a proof is for. */
interface ProvenJoining {
  readonly organizationId: number
  readonly joining: string
}

/**
 * The sign-ins by connections of an organization that count for a member. Those from before the user was removed and joined again do
 * not.
 */
export const listOrganizationProofs = (
  caller: Prover,
  { organizationId, joining }: ProvenJoining,
): readonly OrganizationProof[] =>
  listProofs(caller).filter((proof) => proof.organization === organizationId && proof.joining === joining)

/** Whether a connection of an organization proved who the member is. It decides about the roles there, and about nothing else. */
export const hasOrganizationProof = (caller: Prover, membership: ProvenJoining): boolean =>
  listOrganizationProofs(caller, membership).length > 0

/** Whether a caller may act in an organization, or in none if it is undefined. Their membership is another question. */
export const isProvenFor = (caller: Prover, organization: number | undefined): boolean =>
  !isLimitedToOrganizations(caller) || listProofs(caller).some((proof) => proof.organization === organization)

/** What a caller needs to know of a membership. */
interface ProvenMembership extends ProvenJoining {
  readonly needsProof?: true
}

/**
 * Whether a membership of the caller counts. One that a connection gave by an address alone takes a session that the connection opened:
 * anyone else who signs in as the user is no member.
 */
export const isMembershipProven = (caller: Prover, membership: ProvenMembership): boolean =>
  (!membership.needsProof && !isLimitedToOrganizations(caller)) || hasOrganizationProof(caller, membership)

/**
 * The user as a session acts for them: without the rights that only a proof for the whole service gives, and without those for which its
 * own proof is not enough.
 */
export const withSessionRights = (
  services: Pick<Services, 'config' | 'now'>,
  session: RightsProof,
  user: UserRecord,
): UserRecord =>
  session.limitedTo === 'organizations'
    ? { ...user, permissions: [], groups: [] }
    : withoutRestingRights(services, session, user)

export const createServiceProofError = (): AppError =>
  new AppError('permission_denied', {
    reason: 'service_sign_in_required',
    detail:
      'This session was opened by the sign-in of an organization, and counts only there. Sign in in another way.',
    tryAgain: null,
  })
