import { sessions } from '../../lib/contract/operations/sessions.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as confirmIdentity from './confirm-identity.ts'
import * as emailCodeLogin from './email-code-login.ts'
import * as endOwn from './end-own.ts'
import * as listOwn from './list-own.ts'
import * as login from './login.ts'
import * as logout from './logout.ts'
import * as requestEmailCode from './request-email-code.ts'

export const handler = createGroupHandler(sessions, {
  ...confirmIdentity,
  ...emailCodeLogin,
  ...endOwn,
  ...listOwn,
  ...login,
  ...logout,
  ...requestEmailCode,
})
