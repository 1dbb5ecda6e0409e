import { fitsKey } from '../../accounts/names/names.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { hasVerifiedEmail, isGuestUser } from '../../accounts/users/guest-state.records.ts'
import type { Services } from '../../services.ts'
import { type LoginCounts, readLoginCounts } from './login-guard.records.ts'

/*
 * Users sign in with their username or with their verified email address. A username wins over an equal address of
 * another user. Failures count for the username in both cases, so an address gives an attacker no further guesses.
 * An address takes more table calls than a username. Failures of all names with an @ take the same number of calls, so
 * their time shows neither addresses nor usernames.
 */

/** Where a sign-in comes from. */
export interface LoginOrigin {
  readonly network: string
  /** The name of its device, if it sent a cookie that can be known: see `nameDevice`. */
  readonly device: string | undefined
}

export interface ResolvedName {
  /** The normalized username that failures count for. */
  readonly account: string
  readonly counts: LoginCounts
  /** Whether a failure has to call `padLookup`. */
  readonly isPadded: boolean
}

/** Finds the account that a normalized name stands for. */
export const resolveLoginName = async (
  services: Services,
  name: string,
  from: LoginOrigin,
): Promise<ResolvedName> => {
  const counts = await readCounts(services, name, from)
  const mayBeAddress = services.config.signInByEmail && name.includes('@')
  if (!mayBeAddress || counts.userId !== undefined) return { account: name, counts, isPadded: mayBeAddress }
  const user = await findUser(services.table, counts.emailUserId ?? noUserId)
  const isOwner =
    user !== undefined &&
    hasVerifiedEmail(user) &&
    user.normalizedEmail === name &&
    isActive(user, services.now()) &&
    !isGuestUser(user)
  const account = isOwner ? user.normalizedUsername : name
  return { account, counts: await readCounts(services, account, from), isPadded: false }
}

/** Makes the calls that the lookup of an email address takes. */
export const padLookup = async (services: Services, name: string, from: LoginOrigin): Promise<void> => {
  await findUser(services.table, noUserId)
  await readCounts(services, name, from)
}

/** User ID 0 never exists. */
const noUserId = 0

/** Reads what is counted for an account, and for a sign-in to it from a place. */
export const readCounts = (
  { table, config: { rateLimits } }: Services,
  account: string,
  { network, device }: LoginOrigin,
): Promise<LoginCounts> =>
  readLoginCounts(table, {
    account,
    network,
    device,
    accountFailures: rateLimits.accountFailures,
    addressFailures: rateLimits.addressFailures,
    hasUsername: account !== '' && fitsKey(account),
  })
