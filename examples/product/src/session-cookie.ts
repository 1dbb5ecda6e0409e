import type { Context, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Environment } from './environment.ts'
import type { Session, SessionStore } from './session-store.ts'

export interface SessionCookie {
  /** Reads the session of the browser for all routes. */
  readonly middleware: MiddlewareHandler<Environment>
  /** Starts a session, and ends the one that the browser had before. */
  readonly start: (c: Context, session: Session) => Promise<void>
  readonly end: (c: Context) => Promise<void>
}

const name = 'session'

/** The session cookie of the product. Browsers send it to this host alone, and not with forms of other sites. */
export const createSessionCookie = (origin: string, sessions: SessionStore): SessionCookie => {
  const isSecure = origin.startsWith('https:')
  const prefix = isSecure ? 'host' : undefined
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure } as const
  const read = (c: Context) => (prefix ? getCookie(c, name, prefix) : getCookie(c, name))
  const end = async (c: Context): Promise<void> => {
    const value = read(c)
    if (value) await sessions.remove(value)
    deleteCookie(c, name, prefix ? { ...options, prefix } : options)
  }
  return {
    end,
    start: async (c, session) => {
      await end(c)
      setCookie(c, name, await sessions.create(session), prefix ? { ...options, prefix } : options)
    },
    middleware: async (c, next) => {
      const value = read(c)
      c.set('session', value ? await sessions.find(value) : undefined)
      await next()
    },
  }
}
