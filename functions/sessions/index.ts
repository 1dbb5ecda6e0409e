import { sessions } from '../../lib/contract/operations/sessions.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { login } from './login.ts'
import { logout, logoutPage } from './logout.ts'
import { endOwnSession, getOwnSessions } from './own.ts'

export const handler = handlerFor(sessions, {
  login,
  logout,
  logoutPage,
  getOwnSessions,
  endOwnSession,
})
