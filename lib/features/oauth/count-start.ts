import type { DeviceCookie } from '../../accounts/callers/request-context.ts'
import { consume, rateLimited } from '../../accounts/callers/throttle.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { getLongestWaitMs } from '../../kernel/rates/rates.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import { getRemainingMs } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'

/** Until when this function knows that a network reached the limit. Above it, a request costs no call of the table. */
const blockedUntil = new Map<string, number>()
const maxRemembered = 10_000

/** Who starts an authorization. */
interface Starter {
  readonly address: string
  /** The device cookie of the browser. */
  readonly device?: DeviceCookie | undefined
  /** The user who is signed in. */
  readonly userId?: number | undefined
}

/**
 * Counts an authorization that a network starts, whatever comes of it. Above the limit, users and browsers that are known have a share
 * of their own.
 *
 * @throws AppError `too_many_requests`
 */
export const countStart = async (services: Services, starter: Starter): Promise<void> => {
  try {
    await countForNetwork(services, getNetwork(starter.address))
  } catch (error) {
    if (error instanceof AppError && (await isKnown(services, starter))) return
    throw error
  }
}

/** Loaded on demand, because few requests come from a network above the limit. */
const isKnown = async (services: Services, { device, userId }: Starter): Promise<boolean> => {
  if (userId === undefined && !device) return false
  const { admitKnownBrowser, admitUser } = await import('../sign-in/known-browsers.ts')
  return userId === undefined
    ? admitKnownBrowser(services, 'authorizationStarts', device)
    : admitUser(services, 'authorizationStarts', userId)
}

const countForNetwork = async (services: Services, network: string): Promise<void> => {
  const now = services.now()
  const longestMs = getLongestWaitMs(services.config.rateLimits.authorizationStarts)
  const waitMs = getRemainingMs(blockedUntil.get(network) ?? 0, now, longestMs)
  if (waitMs > 0) throw rateLimited(Math.ceil(waitMs / 1000))
  try {
    await consume(services, 'authorizationStarts', network)
  } catch (error) {
    if (error instanceof AppError) {
      for (const [known, until] of blockedUntil)
        if (until <= now || blockedUntil.size >= maxRemembered) blockedUntil.delete(known)
      blockedUntil.set(network, now + Number(error.details.headers?.['retry-after'] ?? 1) * 1000)
    }
    throw error
  }
}
