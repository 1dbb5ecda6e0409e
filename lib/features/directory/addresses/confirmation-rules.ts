import type { Principal } from '../../../accounts/callers/principal.ts'
import { hasPendingAddress } from '../../../accounts/names/email-confirmations.ts'
import { canSignInAlready } from '../../../accounts/users/invitation-state.ts'
import type { UserRecord } from '../../../accounts/users/stored-user.records.ts'
import { AppError } from '../../../kernel/errors/errors.ts'
import type { Services } from '../../../services.ts'
import { findUsableCompanyAccounts } from '../company-accounts/usable-company-accounts.ts'

/*
 * A link proves that someone reads the mailbox. It says nothing about the account for which the address was entered: anyone can enter
 * the address of somebody else in their own account. So a link counts in a session of that account. Without a session, it counts
 * only for an account that nobody can sign in to, and whose address others entered who may.
 */

/** What the person in front of the page has to do before the link counts. */
export type ConfirmationNeed = 'nothing' | 'sign_in' | 'other_account' | 'end_impersonation'

type Caller = Pick<Principal, 'user' | 'actor' | 'session'> | undefined

/** Whether the caller is a person who is signed in. A session that an access link opened is that of the link. */
export const isSignedIn = (caller: Caller): caller is NonNullable<Caller> =>
  caller !== undefined && caller.session?.accessLink === undefined

/** Finds what is missing before a link confirms the address of this user. */
export const findConfirmationNeed = async (
  services: Services,
  user: UserRecord,
  caller: Caller,
): Promise<ConfirmationNeed> => {
  if (caller?.actor) return 'end_impersonation'
  if (isSignedIn(caller) && caller.user.id === user.id) return 'nothing'
  if (await isLinkEnough(services, user)) return 'nothing'
  return isSignedIn(caller) ? 'other_account' : 'sign_in'
}

/** An address that the user chose, or an identity provider claimed, needs a session in any case: the person who did that can sign in. */
const isLinkEnough = async (services: Services, user: UserRecord): Promise<boolean> =>
  !hasPendingAddress(user) &&
  user.isEmailFromProvider !== true &&
  !canSignInAlready(user) &&
  user.legacySignIn === undefined &&
  (await findUsableCompanyAccounts(services, user)).length === 0

/** @throws AppError `permission_denied` */
export const requireConfirmable = async (
  services: Services,
  user: UserRecord,
  caller: Caller,
): Promise<void> => {
  const need = await findConfirmationNeed(services, user, caller)
  if (need !== 'nothing') throw createNeedError(need)
}

const createNeedError = (need: Exclude<ConfirmationNeed, 'nothing'>): AppError =>
  need === 'end_impersonation'
    ? new AppError('permission_denied', { detail: 'Not allowed while impersonating another user.' })
    : new AppError('permission_denied', {
        reason: need === 'sign_in' ? 'sign_in_required' : 'other_account',
        detail: 'Sign in to the account for which the address was entered. Then open the link again.',
      })
