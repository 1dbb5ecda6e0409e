import type { Config } from '../core/config.ts'
import { oidcInteractionMs } from '../core/limits.ts'
import { buildLaxCookie, readBrowserSecret } from './cookies.ts'

/*
 * By this cookie a browser proves that it started an authorization, so that no one can have another person complete theirs.
 * It identifies neither a session nor a user. One cookie serves all authorizations of a browser, because several tabs can
 * sign in at once.
 */

const name = 'latchkey-oidc'

/** Returns the value of the cookie if it has the right form. */
export const readOidcCookie = (config: Config, cookies: readonly string[]): string | undefined =>
  readBrowserSecret(config, cookies, name)

/** Builds the `Set-Cookie` value. It lasts as long as an authorization that starts now. */
export const buildOidcCookie = (config: Config, value: string): string =>
  buildLaxCookie(config, name, value, oidcInteractionMs / 1000)
