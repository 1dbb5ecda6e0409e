import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { findClaimantIds } from '../../../accounts/names/address-holders.records.ts'
import { endedClaim } from '../../../accounts/names/email-confirmations.ts'
import { addressSteps } from '../../../accounts/users/address-event.ts'
import { findUser, findUsers } from '../../../accounts/users/find-users.records.ts'
import { hasVerifiedEmail } from '../../../accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../../accounts/users/stored-user.records.ts'
import { NotUnique } from '../../../accounts/users/stored-user.records.ts'
import { editUser } from '../../../accounts/users/write-users.records.ts'
import { EditConflict } from '../../../kernel/table/transaction.ts'
import type { Services } from '../../../services.ts'

/**
 * Rejects an address that another user waits to confirm. It keeps two users from getting the same address by mistake. It
 * is no protection, so a claim of an identity provider does not count: it could keep others from their address.
 *
 * @throws NotUnique
 */
export const requireUnclaimed = async (
  { table }: Services,
  normalizedEmail: string,
  userId?: number,
): Promise<void> => {
  const ids = await findClaimantIds(table, normalizedEmail, claimsEnded)
  const others = await findUsers(
    table,
    ids.filter((id) => id !== userId),
  )
  if (others.some((other) => other && isClaimed(other, normalizedEmail) && !other.isEmailFromProvider))
    throw new NotUnique(['email'])
}

const isClaimed = (user: UserRecord, normalizedEmail: string): boolean =>
  user.normalizedEmail === normalizedEmail && !hasVerifiedEmail(user)

/** Claims that are removed in one request. Those that remain have no effect. */
const claimsEnded = 10

/**
 * Removes an address from the users who only claim it, after a user was found to own it. A failure is only logged: the
 * address belongs to its owner by then, and an unconfirmed claim has no effect.
 */
export const endOtherClaims = async (
  services: Services,
  context: RequestContext,
  owner: UserRecord,
): Promise<void> => {
  const { normalizedEmail } = owner
  if (normalizedEmail === null || !hasVerifiedEmail(owner)) return
  try {
    const ids = await findClaimantIds(services.table, normalizedEmail, claimsEnded)
    for (const id of ids) await endClaim(services, context, id, normalizedEmail)
  } catch (error) {
    services.log.error('email.claims_not_ended', { request_id: context.requestId, user: owner.id, error })
  }
}

const endClaim = async (
  { table }: Services,
  context: RequestContext,
  userId: number,
  normalizedEmail: string,
): Promise<void> => {
  const user = await findUser(table, userId)
  if (!user || !isClaimed(user, normalizedEmail)) return
  const extraSteps = addressSteps(context, 'email.claim_ended', { before: user, after: endedClaim })
  await editUser(table, user, endedClaim, { extraSteps }).catch((error: unknown) => {
    if (!(error instanceof EditConflict)) throw error
  })
}
