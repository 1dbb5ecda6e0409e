import type { UseCase } from '../../http/use-case.ts'
import { isActive } from '../directory/account-state.ts'
import { getCompanyAccountId } from '../directory/company-accounts.use-cases.ts'
import { hasVerifiedEmail, isGuestUser } from '../directory/guest-state.records.ts'
import { requireUser } from '../directory/require-records.ts'
import type { users } from '../directory/users.operations.ts'
import { canSignInAlready } from '../invitations/invitation-state.ts'
import { canResetPassword } from '../passwords/reset-tokens.ts'
import { applyRemoval, isWorking, listWaysToSignIn, readSignInState } from './ways-to-sign-in.ts'

/** Lists how a user can sign in, as they are or after a removal, so that those who manage users know before. */
export const getUserSignInWays: UseCase<typeof users.getUserSignInWays> = async (
  { params, query },
  services,
) => {
  const state = await readSignInState(services, await requireUser(services.table, params.id))
  const account = state.accounts.find((one) => getCompanyAccountId(one) === query.without_account)
  const after = applyRemoval(state, {
    ...(query.without_passkey === undefined ? {} : { passkeyId: query.without_passkey }),
    ...(account ? { account } : {}),
    ...(query.without_totp ? { user: { totp: null } } : {}),
  })
  const { user } = after
  const ways = await listWaysToSignIn(services, after)
  const isReachable = isActive(user, services.now()) && hasVerifiedEmail(user) && !isGuestUser(user)
  return {
    status: 200,
    body: {
      ways: [...ways],
      is_locked_out: !ways.some(isWorking),
      can_be_invited: isReachable && !canSignInAlready(user),
      can_reset_password: canResetPassword(user, services.now()),
    },
  }
}
