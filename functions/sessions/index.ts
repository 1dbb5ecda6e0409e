import { sessions } from '../../lib/contract/operations/sessions.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { notImplemented } from '../../lib/http/use-case.ts'
import { login } from './login.ts'
import { logout, logoutPage } from './logout.ts'

export const handler = handlerFor(sessions, {
  login,
  logout,
  logoutPage,
  getOwnSessions: notImplemented,
  endOwnSession: notImplemented,
})
