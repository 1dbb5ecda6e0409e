import type { TokenUser } from '@latchkey/middleware'
import type { Session } from './session-store.ts'

/** What middleware keeps for the routes. */
export interface Environment {
  Variables: {
    /** The session of the browser, if it has one. */
    session: Session | undefined
    /** The user, on routes that require one. */
    user: TokenUser
  }
}
