import type { Principal } from '../../accounts/callers/principal.ts'
import type { SessionAuthentication } from '../../accounts/sessions/stored-session.records.ts'
import { hasSecondFactor } from '../../accounts/users/account-state.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { unknownAuthenticationMs } from '../../kernel/limits/connection-limits.ts'

/*
 * When somebody proved who they are, and whether that is a new proof. A public provider such as Google answers for the session that the
 * browser has there, without a word about when the person signed in. So such a time counts as long ago wherever a product learns it, like
 * that of a company without `auth_time`.
 */

/** When a user proved who they are, as everybody outside of the service learns it. In epoch milliseconds. */
export const getStatedTime = ({
  at,
  isTimeUnknown,
}: Pick<SessionAuthentication, 'at' | 'isTimeUnknown'>): number =>
  isTimeUnknown ? at - unknownAuthenticationMs : at

/** Whether a user has a passkey, an app or a password, so that they can prove who they are without a provider. */
const canProveHere = (user: UserRecord): boolean => hasSecondFactor(user) || user.passwordHash !== null

/** The user of a session, who is not the one that they impersonate. */
type Prover = Pick<Principal, 'user' | 'actor'>

/** Whether a sign-in lacks a proof that only this service can take: a provider did not say when it signed somebody in who can prove it here. */
export const lacksOwnProof = ({ user, actor }: Prover, { isTimeUnknown }: SessionAuthentication): boolean =>
  isTimeUnknown === true && canProveHere(actor ?? user)

/**
 * Whether a sign-in counts where a new proof of identity is demanded, if it is new enough. A remembered browser proves no second factor.
 * People who have nothing but an account at a provider have no better proof. Their tokens still state that its time is unknown.
 */
export const isNewProof = (prover: Prover, authentication: SessionAuthentication): boolean =>
  !authentication.isFactorRemembered && !lacksOwnProof(prover, authentication)
