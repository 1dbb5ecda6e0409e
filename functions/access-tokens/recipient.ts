import { isActive } from '../../lib/accounts/common/active-user.ts'
import { fitsKey, normalizeEmail } from '../../lib/accounts/common/names.ts'
import { buildGuest } from '../../lib/accounts/links/guests.ts'
import type { CreateAccessTokenRequest } from '../../lib/contract/models/access-token-requests.ts'
import { invalidRequest } from '../../lib/errors/errors.ts'
import type { Services } from '../../lib/services.ts'
import { findAddressHolders } from '../../lib/store/directory/address-holders.ts'
import { resolveSuccessor } from '../../lib/store/directory/successors.ts'
import type { NewUser, UserRecord } from '../../lib/store/directory/user-record.ts'
import { findUser } from '../../lib/store/directory/users.ts'

/** The recipient of a link: a user, or a guest that is created together with the link. */
export type Recipient =
  | { readonly user: UserRecord }
  | { readonly guest: NewUser; readonly isAnonymous: boolean }

type Given = Pick<CreateAccessTokenRequest, 'user' | 'email' | 'expires'>

/**
 * Resolves the recipient of a request, by ID or by email address. An unknown address, or no recipient at all, results in
 * a guest. A creator who may not view users gets a guest for every address. If an account has the address, the guest
 * stands for it. So neither the answer nor the work for it shows whether there is an account.
 *
 * @throws AppError `invalid_request` if the user does not exist, is disabled, or has expired.
 */
export const resolveRecipient = async (
  services: Services,
  given: Given,
  canViewUsers: boolean,
): Promise<Recipient> => {
  const { table } = services
  const { user: id, email } = given
  if (id != null) {
    const user = await resolveSuccessor(table, await findUser(table, id))
    return { user: requireActiveUser(services, user, 'user') }
  }
  if (email == null) {
    const expiresAt = given.expires == null ? null : Date.parse(given.expires)
    return { guest: buildGuest({ expiresAt }), isAnonymous: true }
  }
  const normalized = normalizeEmail(email)
  if (!fitsKey(normalized)) throw invalidRequest([{ field: 'email', message: 'is too long' }])
  const { accountId, guestId } = await findAddressHolders(table, normalized)
  if (canViewUsers && accountId !== undefined)
    return { user: requireActiveUser(services, await findUser(table, accountId), 'email') }
  const guest = guestId === undefined ? undefined : await findUser(table, guestId)
  if (guest?.successorId !== undefined) return { user: guest }
  if (guest) return { user: requireActiveUser(services, guest, 'email') }
  return { guest: buildGuest({ email, successorId: accountId }), isAnonymous: false }
}

const requireActiveUser = (
  { now }: Services,
  user: UserRecord | undefined,
  field: 'user' | 'email',
): UserRecord => {
  if (user && isActive(user, now())) return user
  throw invalidRequest([{ field, message: 'must name an existing user who is enabled and has not expired' }])
}
