import { randomInt } from 'node:crypto'
import {
  flowsPerBrowser,
  signInQuestionMs,
  signInRequestMs,
  signInRestartMs,
} from '../kernel/limits/connection-limits.ts'
import type { Config } from '../kernel/settings/config.ts'
import {
  buildCrossSiteCookie,
  createBrowserSecret,
  getHostCookieName,
  readBrowserSecret,
  readCookie,
} from './cookies.ts'

/*
 * By these cookies a browser proves that it started a sign-in through a company connection. They identify neither a session nor a user. Each
 * sign-in has a cookie of its own, so that several tabs can sign in at once. The number of names is fixed: a page that
 * starts many sign-ins cannot push other cookies out of the browser. The identity provider has the browser post its response from
 * another site.
 */

/** After the answer of the identity provider, a page can ask the person about it. */
const lifetimeSeconds = (signInRequestMs + signInQuestionMs) / 1000

const nameSlot = (slot: number): string => `latchkey-saml-${slot}`

const slots = Array.from({ length: flowsPerBrowser }, (_, slot) => slot)

const readSlot = (config: Config, cookies: readonly string[], slot: number): string | undefined =>
  readBrowserSecret(config, cookies, nameSlot(slot))

/** A new flow cookie: the secret that the browser keeps, and the `Set-Cookie` value. */
export interface NewFlowCookie {
  readonly value: string
  readonly cookie: string
}

/**
 * Creates the cookie of a new sign-in. Its value is always new, so that no value from elsewhere is ever adopted. If all
 * names are in use, it replaces the cookie of another sign-in of this browser.
 */
export const createFlowCookie = (config: Config, cookies: readonly string[]): NewFlowCookie => {
  const free = slots.filter((slot) => readSlot(config, cookies, slot) === undefined)
  const candidates = free.length > 0 ? free : slots
  // Random, because two tabs can start at the same time and would choose the same first name.
  const slot = candidates[randomInt(candidates.length)] ?? 0
  const value = createBrowserSecret()
  return { value, cookie: buildCrossSiteCookie(config, nameSlot(slot), value, lifetimeSeconds) }
}

/** Returns the values of all flow cookies of a request that have the right form. Duplicate names do not count. */
export const readFlowCookies = (config: Config, cookies: readonly string[]): readonly string[] =>
  slots.map((slot) => readSlot(config, cookies, slot)).filter((value) => value !== undefined)

/** Builds the `Set-Cookie` values that remove the cookie with this value from the browser, and that of a restart. */
export const clearFlowCookie = (
  config: Config,
  cookies: readonly string[],
  value: string,
): readonly string[] =>
  [
    ...slots.filter((slot) => readSlot(config, cookies, slot) === value).map(nameSlot),
    ...(hasRestartCookie(config, cookies) ? [restartName] : []),
  ].map((name) => buildCrossSiteCookie(config, name, '', 0))

/** The cookie of a browser that was just sent to start a sign-in, because its response belonged to none. */
const restartName = 'latchkey-saml-restart'

export const buildRestartCookie = (config: Config): string =>
  buildCrossSiteCookie(config, restartName, '1', signInRestartMs / 1000)

export const hasRestartCookie = (config: Config, cookies: readonly string[]): boolean =>
  readCookie(cookies, getHostCookieName(config, restartName)) !== undefined
