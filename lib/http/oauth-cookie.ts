import { oauthInteractionMs } from '../kernel/limits/limits.ts'
import type { Config } from '../kernel/settings/config.ts'
import {
  buildLaxCookie,
  buildPathCookie,
  getHostCookieName,
  getPathCookieName,
  readBrowserSecret,
  readCookie,
} from './cookies.ts'

const lifetimeSeconds = oauthInteractionMs / 1000

/*
 * By this cookie a browser proves that it started an authorization, so that no one can have another person complete theirs.
 * It identifies neither a session nor a user. One cookie serves all authorizations of a browser, because several tabs can
 * sign in at once.
 */
const browserName = 'latchkey-oidc'

/** Returns the value of the cookie if it has the right form. */
export const readOAuthCookie = (config: Config, cookies: readonly string[]): string | undefined =>
  readBrowserSecret(config, cookies, browserName)

/** Builds the `Set-Cookie` value. It lasts as long as an authorization that starts now. */
export const buildOAuthCookie = (config: Config, value: string): string =>
  buildLaxCookie(config, browserName, value, lifetimeSeconds)

/*
 * This cookie is the authorization that waits for a sign-in. Browsers send it to the address of that authorization alone,
 * so that other requests stay small.
 */
const interactionName = 'latchkey-oidc-interaction'

export const readInteractionCookie = (config: Config, cookies: readonly string[]): string | undefined =>
  readCookie(cookies, getPathCookieName(config, interactionName))

/** Builds the `Set-Cookie` value for the interaction at `path`. An empty value removes the cookie. */
export const buildInteractionCookie = (config: Config, path: string, value: string): string =>
  buildPathCookie(config, {
    name: interactionName,
    value,
    path,
    maxAgeSeconds: value === '' ? 0 : lifetimeSeconds,
  })

/*
 * By this cookie the sign-in page finds out for which client the latest authorization of the browser is. The page shows the
 * name of that client and decides nothing by it.
 */
const clientName = 'latchkey-oidc-client'

/** The client of the authorization that the browser started last. */
export interface PendingClient {
  /** The interaction, by the place where the browser keeps it and its own identifier. */
  readonly uid: string
  readonly id: string
  readonly clientId: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

export const readPendingClient = (config: Config, cookies: readonly string[]): PendingClient | undefined => {
  const text = readCookie(cookies, getHostCookieName(config, clientName)) ?? ''
  const [, uid, id, encoded, digits] =
    /^([\w-]{22})\.([\w-]{24})\.([\w-]{1,700})\.(\d{1,15})$/.exec(text) ?? []
  if (uid === undefined || id === undefined || encoded === undefined) return undefined
  return { uid, id, clientId: Buffer.from(encoded, 'base64url').toString('utf8'), expiresAt: Number(digits) }
}

/** Builds the `Set-Cookie` value. Undefined removes the cookie. */
export const buildPendingClientCookie = (config: Config, client: PendingClient | undefined): string =>
  client
    ? buildLaxCookie(
        config,
        clientName,
        `${client.uid}.${client.id}.${Buffer.from(client.clientId).toString('base64url')}.${client.expiresAt}`,
        lifetimeSeconds,
      )
    : buildLaxCookie(config, clientName, '', 0)
