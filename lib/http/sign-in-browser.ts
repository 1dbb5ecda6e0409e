import type { DeviceCookieValue, SignInBrowser } from '../features/sign-in/factor-memory.ts'
import type { Config } from '../kernel/settings/config.ts'
import { buildLaxCookie, getHostCookieName, readCookie } from './cookies.ts'
import type { RequestFacts } from './use-case.ts'

/*
 * By this cookie a browser signs its user in without the second factor, after the password. A browser remembers one user. The cookie
 * stays when the session ends.
 */

const cookieName = 'latchkey-remembered-device'

/** What a body says about the browser. */
interface Wishes {
  readonly remember_device?: boolean | undefined
  readonly ask_second_factor?: boolean | undefined
}

/** Returns what a request to sign in says about its browser. Only a page of this service can have it remembered, or use that. */
export const readSignInBrowser = (
  config: Config,
  { cookies, origin, context }: Pick<RequestFacts, 'cookies' | 'origin' | 'context'>,
  { remember_device: remembers, ask_second_factor: asks }: Wishes,
): SignInBrowser => {
  const isOwnPage = origin === 'own' && context.product === undefined
  return {
    canBeRemembered: isOwnPage,
    wantsToBeRemembered: remembers === true,
    asksAnyway: asks === true,
    given: isOwnPage ? readRememberedDevice(config, cookies) : undefined,
  }
}

/** The value of the cookie that remembers the second factor. Duplicate cookies are ignored. */
export const readRememberedDevice = (config: Config, cookies: readonly string[]): string | undefined =>
  readCookie(cookies, getHostCookieName(config, cookieName))

/** Builds the `Set-Cookie` values for a device that a sign-in remembered or used. */
export const buildRememberedDeviceCookies = (
  config: Config,
  device: DeviceCookieValue | undefined,
  nowMs: number,
): readonly string[] =>
  device
    ? [
        buildLaxCookie(
          config,
          cookieName,
          device.value,
          Math.max(0, Math.floor((device.endsAt - nowMs) / 1000)),
        ),
      ]
    : []
