import { sessions } from '../../lib/contract/operations/sessions.ts'
import { createHandler } from '../../lib/http/handler.ts'
import { login } from './login.ts'
import { logout, logoutPage } from './logout.ts'
import { endOwnSession, getOwnSessions } from './own.ts'

export const handler = createHandler(sessions, {
  login,
  logout,
  logoutPage,
  getOwnSessions,
  endOwnSession,
})
