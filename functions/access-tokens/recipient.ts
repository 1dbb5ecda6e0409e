import { isActive } from '../../lib/accounts/common/active-user.ts'
import { fitsKey, normalizeEmail } from '../../lib/accounts/common/names.ts'
import { buildGuest } from '../../lib/accounts/links/guests.ts'
import type { CreateAccessTokenRequest } from '../../lib/contract/models/access-token-requests.ts'
import { invalidRequest } from '../../lib/core/errors.ts'
import type { Services } from '../../lib/services.ts'
import { findUser, findUserIdByEmail } from '../../lib/store/directory/users.ts'
import type { NewUser, UserRecord } from '../../lib/store/records/user-record.ts'

/** The recipient of a link: a user, or a guest that is created together with the link. */
export type Recipient =
  | { readonly user: UserRecord }
  | { readonly guest: NewUser; readonly isAnonymous: boolean }

type Given = Pick<CreateAccessTokenRequest, 'user' | 'email' | 'expires'>

/**
 * Resolves the recipient of a request, by ID or by email address. An unknown address, or no recipient at all, results in
 * a guest. `isNameTaken` says that the address cannot be the username of the guest.
 *
 * @throws AppError `invalid_request` if the user does not exist, is disabled, or has expired.
 */
export const resolveRecipient = async (
  services: Services,
  given: Given,
  isNameTaken: boolean,
): Promise<Recipient> => {
  const { user: id, email } = given
  if (id != null) return { user: requireActiveUser(services, await findUser(services.table, id), 'user') }
  if (email == null) {
    const expiresAt = given.expires == null ? null : Date.parse(given.expires)
    return { guest: buildGuest({ expiresAt }), isAnonymous: true }
  }
  const normalized = normalizeEmail(email)
  if (!fitsKey(normalized)) throw invalidRequest([{ field: 'email', message: 'is too long' }])
  const knownId = await findUserIdByEmail(services.table, normalized)
  if (knownId === undefined) return { guest: buildGuest({ email, isNameTaken }), isAnonymous: false }
  return { user: requireActiveUser(services, await findUser(services.table, knownId), 'email') }
}

const requireActiveUser = (
  { now }: Services,
  user: UserRecord | undefined,
  field: 'user' | 'email',
): UserRecord => {
  if (user && isActive(user, now())) return user
  throw invalidRequest([{ field, message: 'must name an existing user who is enabled and has not expired' }])
}
