import { isActive } from '../../accounts/users/account-state.ts'
import { hasVerifiedEmail, isGuestUser } from '../../accounts/users/guest-state.records.ts'
import { canSignInAlready } from '../../accounts/users/invitation-state.ts'
import { requireUser } from '../../accounts/users/require-records.ts'
import type { UseCase } from '../../http/use-case.ts'
import { getCompanyAccountId } from '../directory/company-accounts/company-accounts.use-cases.ts'
import type { users } from '../directory/users/users.operations.ts'
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
