import type { DeviceCookie } from '../accounts/callers/request-context.ts'
import { hashDeviceCookie } from '../features/sign-in/known-places.ts'
import { deviceCookieMs } from '../kernel/limits/limits.ts'
import type { Config } from '../kernel/settings/config.ts'
import { readRequestOrigin } from './authenticate.ts'
import { buildLaxCookie, createBrowserSecret, readBrowserSecret } from './cookies.ts'
import type { HttpEvent } from './http-types.ts'

/*
 * By this cookie an account recognizes a browser that signed in before. It opens nothing: it only has its failed
 * sign-ins counted apart from those of strangers. So it stays when the session ends.
 */

const deviceCookieName = 'latchkey-device'

/** Returns the device cookie of a request from a page of this service, or a new one if it has none. */
export const readDeviceCookie = (config: Config, event: HttpEvent): DeviceCookie | undefined => {
  if (readRequestOrigin(config, event) !== 'own') return undefined
  return readKnownDevice(config, event.cookies ?? []) ?? createDeviceCookie()
}

/** Returns the device cookie of a browser, or undefined if it has none. A request can come from another site. */
export const readKnownDevice = (config: Config, cookies: readonly string[]): DeviceCookie | undefined => {
  const value = readBrowserSecret(config, cookies, deviceCookieName)
  return value === undefined ? undefined : { value, hash: hashDeviceCookie(value) }
}

/** Creates a device cookie, which no account knows yet. */
export const createDeviceCookie = (): DeviceCookie => {
  const value = createBrowserSecret()
  return { value, hash: hashDeviceCookie(value), isNew: true }
}

/** Builds the `Set-Cookie` values that make a browser known after a proof of identity. */
export const buildDeviceCookies = (config: Config, device: DeviceCookie | undefined): readonly string[] =>
  device?.value
    ? [buildLaxCookie(config, deviceCookieName, device.value, Math.floor(deviceCookieMs / 1000))]
    : []
