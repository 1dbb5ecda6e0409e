import { isActive } from '../../lib/accounts/common/active-user.ts'
import { fitsKey, normalizeEmail } from '../../lib/accounts/common/names.ts'
import { buildGuest } from '../../lib/accounts/links/guests.ts'
import type { CreateAccessTokenRequest } from '../../lib/contract/models/access-token-requests.ts'
import { invalidRequest } from '../../lib/core/errors.ts'
import type { Services } from '../../lib/services.ts'
import { findUser, findUserIdByEmail } from '../../lib/store/directory/users.ts'
import type { NewUser, UserRecord } from '../../lib/store/records/user-record.ts'

/** Whom a link is for: somebody who is there, or a guest to be made together with it. */
export type Recipient =
  | { readonly user: UserRecord }
  | { readonly guest: NewUser; readonly isAnonymous: boolean }

type Given = Pick<CreateAccessTokenRequest, 'user' | 'email' | 'expires'>

/**
 * The recipient that a request names, by id or by address. An address that nobody has makes a guest; so does naming
 * nobody at all. `isNameTaken` says that a guest can't be named by its address.
 *
 * @throws AppError `invalid_request` for a user that isn't there, or that is disabled or expired.
 */
export const resolveRecipient = async (
  services: Services,
  given: Given,
  isNameTaken: boolean,
): Promise<Recipient> => {
  const { user: id, email } = given
  if (id != null) return { user: requireWorking(services, await findUser(services.table, id), 'user') }
  if (email == null) {
    const expiresAt = given.expires == null ? null : Date.parse(given.expires)
    return { guest: buildGuest({ expiresAt }), isAnonymous: true }
  }
  const normalized = normalizeEmail(email)
  if (!fitsKey(normalized)) throw invalidRequest([{ field: 'email', message: 'is too long' }])
  const knownId = await findUserIdByEmail(services.table, normalized)
  if (knownId === undefined) return { guest: buildGuest({ email, isNameTaken }), isAnonymous: false }
  return { user: requireWorking(services, await findUser(services.table, knownId), 'email') }
}

const requireWorking = (
  { now }: Services,
  user: UserRecord | undefined,
  field: 'user' | 'email',
): UserRecord => {
  if (user && isActive(user, now())) return user
  throw invalidRequest([{ field, message: 'must name a user who is there, enabled and not expired' }])
}
