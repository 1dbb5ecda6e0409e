import { canHavePasskeys } from '../../lib/accounts/passkeys/passkey-rights.ts'
import { buildOwnProfile } from '../../lib/accounts/sign-in/own-profile.ts'
import type { Services } from '../../lib/services.ts'
import type { ExtraData, PageRequest } from './show-app-page.ts'

/** Reads what the account page shows at first. Guests get nothing, because their account is only a link. */
export const readAccount = async ({ principal }: PageRequest, { table }: Services): Promise<ExtraData> => {
  if (!principal || principal.session?.accessToken) return {}
  return {
    account: {
      profile: await buildOwnProfile(table, principal),
      canHavePasskeys: canHavePasskeys(principal.user),
    },
  }
}
