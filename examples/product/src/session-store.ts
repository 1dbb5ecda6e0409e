import { createHash, randomBytes } from 'node:crypto'

/** What the product knows about a browser that is signed in. */
export interface Session {
  /** The name to show. */
  readonly name: string
  /** The access token of a user, and the ID token for the sign-out. Guests have neither. */
  readonly accessToken?: string
  readonly idToken?: string
  /** The ID of the session at Latchkey. A back-channel logout names it. */
  readonly sid?: string
  /** The films that an access link shares with a guest. Users see all films. */
  readonly sharedFilms?: readonly number[]
  /** Epoch seconds. */
  readonly expiresAt: number
}

export interface SessionStore {
  /** Stores a session. Returns the random value for the cookie. */
  readonly create: (session: Session) => Promise<string>
  readonly find: (value: string) => Promise<Session | undefined>
  readonly remove: (value: string) => Promise<void>
  /** Removes the sessions that belong to a session at Latchkey. */
  readonly removeBySid: (sid: string) => Promise<void>
}

export const createValue = (): string => randomBytes(32).toString('base64url')

/** Only hashes are stored, so that a copy of the store signs no one in. */
export const hashValue = (value: string): string => createHash('sha256').update(value).digest('base64url')

export const isActive = ({ expiresAt }: Session): boolean => expiresAt > Date.now() / 1000

/** Keeps sessions in memory, for one process. */
export const createMemoryStore = (): SessionStore => {
  const sessions = new Map<string, Session>()
  return {
    create: async (session) => {
      const value = createValue()
      sessions.set(hashValue(value), session)
      return value
    },
    find: async (value) => {
      const session = sessions.get(hashValue(value))
      return session && isActive(session) ? session : undefined
    },
    remove: async (value) => {
      sessions.delete(hashValue(value))
    },
    removeBySid: async (sid) => {
      for (const [key, session] of sessions) if (session.sid === sid) sessions.delete(key)
    },
  }
}
