import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { countFailedLookup } from '../../accounts/callers/throttle.ts'
import { auditRefusal } from '../../accounts/events/refusals.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { getOpenInvitation } from '../../accounts/users/invitation-state.ts'
import type { UserInvitation, UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { isSameHash, parseCredential } from '../../kernel/secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { exceedsLimit } from '../directory/rights/rights-limit.ts'

/** An invitation that works now. */
export interface FoundInvitation {
  readonly user: UserRecord
  readonly invitation: UserInvitation
  /** The hash of the credential in the link. */
  readonly hash: string
}

/**
 * Finds the invitation of a link without using it.
 *
 * @throws AppError `invalid_token`, alike for a malformed, unknown, used, revoked and expired one
 * @throws AppError `too_many_requests` after too many of them
 */
export const requireInvitation = async (
  services: Services,
  context: RequestContext,
  value: string,
): Promise<FoundInvitation> => {
  // Rejected without reading the table, so callers do not pay for mistyped values.
  const credential = parseCredential(value)
  if (credential?.kind !== 'invitation') throw new AppError('invalid_token')
  const found = await findInvitation(services, credential.subject, credential.hash)
  if (found) return found
  await auditRefusal(services, context, 'invitation.refused', { outcome: 'invalid_token' })
  await countFailedLookup(services, context)
  throw new AppError('invalid_token')
}

/** Finds an invitation that works now, by its user and the hash of its credential. */
export const findInvitation = async (
  services: Services,
  userId: number,
  hash: string,
): Promise<FoundInvitation | undefined> => {
  const user = await findUser(services.table, userId)
  const invitation = user && getOpenInvitation(user)
  const now = services.now()
  if (!user || invitation?.hash === undefined) return undefined
  const isValid =
    isSameHash(invitation.hash, hash) &&
    now < invitation.expiresAt &&
    isActive(user, now) &&
    (await mayOpenAccount(services, user, invitation))
  return isValid ? { user, invitation, hash } : undefined
}

/** A user manager could otherwise invite their own mailbox, and wait until the account gets permissions that they lack. */
const mayOpenAccount = async (
  { table }: Services,
  user: UserRecord,
  { rights, madeAt }: UserInvitation,
): Promise<boolean> =>
  rights === undefined || !(await exceedsLimit(table, { ...user, rightsLimit: { ...rights, since: madeAt } }))
