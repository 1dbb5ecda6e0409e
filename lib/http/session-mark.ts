import { parseCredential } from '../kernel/secrets/credentials.ts'
import type { Config } from '../kernel/settings/config.ts'
import { buildCrossSiteCookie, getHostCookieName, readCookie } from './cookies.ts'

/*
 * Browsers do not send the session cookie when an identity provider has them post its answer from another site. By this cookie the
 * service knows which session the browser has even then, so that the answer does not replace the session of another person. It has the
 * hash of the credential, which opens nothing. Every answer that sets the session cookie sets it too.
 */

const markName = 'latchkey-marked-session'

/** A session that a browser says it has. It may have ended. */
export interface MarkedSession {
  readonly userId: number
  readonly hash: string
}

/** Builds the `Set-Cookie` value for the credential of a session. An empty one removes the cookie. */
export const buildSessionMark = (config: Config, sessionKey: string, maxAgeSeconds: number): string => {
  const credential = parseCredential(sessionKey)
  return credential
    ? buildCrossSiteCookie(config, markName, `${credential.subject}.${credential.hash}`, maxAgeSeconds)
    : buildCrossSiteCookie(config, markName, '', 0)
}

/** Returns the session that the cookies of a request name, if they have the right form. */
export const readSessionMark = (config: Config, cookies: readonly string[]): MarkedSession | undefined => {
  const value = readCookie(cookies, getHostCookieName(config, markName)) ?? ''
  const [, userId, hash] = /^([1-9]\d{0,9})\.([\w-]{43})$/.exec(value) ?? []
  return userId === undefined || hash === undefined ? undefined : { userId: Number(userId), hash }
}
