import type { DeviceCookie } from '../../accounts/callers/request-context.ts'
import { consume } from '../../accounts/callers/throttle.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { deviceCookieMs } from '../../kernel/limits/limits.ts'
import type { RateLimitName } from '../../kernel/limits/rate-limits.ts'
import { rateKey } from '../../kernel/rates/rates.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { toSeconds } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { nameDevice } from './known-places.ts'

/*
 * A door can be closed for a network because of one of its people. Somebody who signed in before in this browser has a share of their
 * own there. Nobody said yet who they are, so a mark leads from the device cookie to the user. It is read only above a limit.
 *
 * The share is one of a user, not of a browser: otherwise, one account would give any number of shares.
 */

/** Builds the step that marks whose browser it is. Belongs to the transaction that adds the device cookie to the user. */
export const buildKnownBrowserStep = (
  { config, now }: Services,
  user: Pick<UserRecord, 'id'>,
  { hash }: Pick<DeviceCookie, 'hash'>,
): Step => ({
  update: rateKey(config.rateLimits.knownBrowserUses, nameDevice(hash)),
  changes: (x) => ({
    set: [
      `${x.path('user')} = ${x.value(user.id)}`,
      `${x.path('expires_at')} = ${x.value(toSeconds(now() + deviceCookieMs))}`,
    ],
  }),
})

/** Whether the share of the user at a door admits a request from this browser, which is counted then. */
export const admitKnownBrowser = async (
  services: Services,
  door: RateLimitName,
  device: DeviceCookie | undefined,
): Promise<boolean> => {
  if (!device || device.isNew) return false
  const { table, config } = services
  const mark = await table.get(rateKey(config.rateLimits.knownBrowserUses, nameDevice(device.hash)))
  const userId = mark?.['user']
  const user = typeof userId === 'number' ? await findUser(table, userId) : undefined
  if (!user?.is_enabled || !Object.hasOwn(user.deviceCookies ?? {}, device.hash)) return false
  return admitUser(services, door, user.id)
}

/** The same for a user who was proven already, such as by a session. */
export const admitUser = async (
  services: Services,
  door: RateLimitName,
  userId: number,
): Promise<boolean> => {
  try {
    await consume(services, 'knownBrowserUses', `${userId} ${door}`)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_requests') return false
    throw error
  }
}
