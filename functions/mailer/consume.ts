import { findKnownPlaces } from '../../lib/accounts/common/known-places.ts'
import { consume, type Refund, tryRefund } from '../../lib/accounts/common/throttle.ts'
import { AppError } from '../../lib/errors/errors.ts'
import type { RateLimitName } from '../../lib/limits/rate-limits.ts'
import type { Services } from '../../lib/services.ts'
import type { UserRecord } from '../../lib/store/directory/user-record.ts'
import type { OutboxEntry } from '../../lib/store/mail/outbox.ts'
import { getNetwork } from '../../lib/util/network.ts'

interface RequestLimits {
  /** Counts the emails that one requester causes. */
  readonly perRequester: RateLimitName
  /** Counts the emails of an account that all strangers together cause. */
  readonly perAccount: RateLimitName
}

/**
 * Counts an email that anyone can request for a user. A known device or network, and an administrator, have a share of
 * their own. All others have a share of what strangers may request, so that a single one cannot use it up.
 */
export const consumeRequested = async (
  services: Services,
  user: UserRecord,
  entry: OutboxEntry,
  { perRequester, perAccount }: RequestLimits,
): Promise<Refund | undefined> => {
  const { id } = user
  const [known] = entry.actor === null ? findKnownPlaces(user, entry) : [`user ${entry.actor}`]
  const own = await tryConsume(services, perRequester, `${id} ${known ?? getNetwork(entry.address)}`)
  if (!own || known !== undefined) return own
  const shared = await tryConsume(services, perAccount, String(id))
  if (!shared) {
    await tryRefund(services, own)
    return undefined
  }
  return async () => {
    await Promise.all([own(), shared()])
  }
}

/** Counts one email against a limit. Returns undefined if the limit is exhausted. */
export const tryConsume = async (
  services: Services,
  name: RateLimitName,
  subject: string,
): Promise<Refund | undefined> => {
  try {
    return await consume(services, name, subject)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
