import { hashDeviceCookie } from '../accounts/common/known-places.ts'
import type { DeviceCookie } from '../accounts/common/request-context.ts'
import { deviceCookieMs } from '../limits/limits.ts'
import type { Config } from '../settings/config.ts'
import { buildLaxCookie, createBrowserSecret, readBrowserSecret } from './cookies.ts'
import type { HttpEvent } from './http-types.ts'
import { readRequestOrigin } from './origin.ts'

/*
 * By this cookie an account recognizes a browser that signed in before. It opens nothing: it only has its failed
 * sign-ins counted apart from those of strangers. So it stays when the session ends.
 */

const name = 'latchkey-device'

/** Returns the device cookie of a request from a page of this service, or a new one if it has none. */
export const readDeviceCookie = (config: Config, event: HttpEvent): DeviceCookie | undefined => {
  if (readRequestOrigin(config, event) !== 'own') return undefined
  const known = readBrowserSecret(config, event.cookies ?? [], name)
  const value = known ?? createBrowserSecret()
  return { value, hash: hashDeviceCookie(value), isNew: known === undefined }
}

/** Builds the `Set-Cookie` values that make a browser known after a proof of identity. */
export const buildDeviceCookies = (config: Config, device: DeviceCookie | undefined): readonly string[] =>
  device ? [buildLaxCookie(config, name, device.value, Math.floor(deviceCookieMs / 1000))] : []
