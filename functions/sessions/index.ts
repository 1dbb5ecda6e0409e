import { sessions } from '../../lib/contract/operations/sessions.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as confirmIdentity from './confirm-identity.ts'
import * as emailCodeLogin from './email-code-login.ts'
import * as endSessions from './end-sessions.ts'
import * as findSignInRoute from './find-sign-in-route.ts'
import * as listSessions from './list-sessions.ts'
import * as login from './login.ts'
import * as logout from './logout.ts'
import * as requestEmailCode from './request-email-code.ts'

export const handler = createGroupHandler(sessions, {
  ...confirmIdentity,
  ...emailCodeLogin,
  ...endSessions,
  ...findSignInRoute,
  ...listSessions,
  ...login,
  ...logout,
  ...requestEmailCode,
})
