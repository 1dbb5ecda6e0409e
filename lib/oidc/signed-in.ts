import type { SessionPrincipal } from '../accounts/common/principal.ts'
import { isLimitedToSetup } from '../accounts/sign-in/setup-session.ts'

/**
 * Whether a session counts as signed in. One that can only set up a second factor does not, and neither does one that an
 * access link opened: the link is a proof of possession, not of identity.
 */
export const isSignedIn = (principal: SessionPrincipal): boolean =>
  !isLimitedToSetup(principal) && !principal.session.accessToken
