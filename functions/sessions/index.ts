import { sessions } from '../../lib/contract/operations/sessions.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as emailCodeLogin from './email-code-login.ts'
import * as login from './login.ts'
import * as ownSessions from './own-sessions.ts'

export const handler = createGroupHandler(sessions, {
  ...login,
  ...emailCodeLogin,
  ...ownSessions,
})
