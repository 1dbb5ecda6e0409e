import type { Principal } from '../../lib/accounts/common/principal.ts'
import { hasPasskeys, requiresPasskey } from '../../lib/accounts/common/second-factors.ts'
import { getDisplayName } from '../../lib/accounts/directory/user-body.ts'
import { isLimitedToSetup } from '../../lib/accounts/sign-in/setup-session.ts'
import type { ConfirmationWays, PageUser } from '../../lib/contract/page-data.ts'
import { isGuestUser } from '../../lib/store/directory/guest-state.ts'
import type { SessionRecord } from '../../lib/store/records/session-record.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'

/** Returns what pages show of the user who is signed in. It takes no table call. */
export const toPageUser = (principal: Principal): PageUser => {
  const { user, session, actor } = principal
  return {
    id: user.id,
    username: user.username,
    displayName: getDisplayName(user),
    isGuest: isGuestUser(user),
    impersonatedBy: actor ? getDisplayName(actor) : null,
    session: getSessionKind(principal),
    confirmation: getConfirmationWays(session, user),
  }
}

const getSessionKind = (principal: Principal): PageUser['session'] => {
  if (principal.session?.accessToken) return 'link'
  return isLimitedToSetup(principal) ? 'setup' : 'full'
}

const getConfirmationWays = (session: SessionRecord | undefined, user: UserRecord): ConfirmationWays => ({
  // A user who requires a passkey with the password confirms with the passkey.
  hasPassword: user.passwordHash !== null && (!requiresPasskey(user) || Boolean(user.totp)),
  hasPasskey: hasPasskeys(user),
  providerId: session?.saml?.providerId ?? null,
})
