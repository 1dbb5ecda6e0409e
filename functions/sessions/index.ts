import { sessions } from '../../lib/contract/operations/sessions.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { confirmIdentity } from './confirm-identity.ts'
import { loginWithEmailCode } from './email-code-login.ts'
import { endOwnSession } from './end-own.ts'
import { getOwnSessions } from './list-own.ts'
import { login } from './login.ts'
import { logout, logoutPage } from './logout.ts'
import { requestEmailCode } from './request-email-code.ts'

export const handler = createGroupHandler(sessions, {
  login,
  requestEmailCode,
  loginWithEmailCode,
  confirmIdentity,
  logout,
  logoutPage,
  getOwnSessions,
  endOwnSession,
})
