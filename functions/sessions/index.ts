import { sessions } from '../../lib/contract/operations/sessions.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as login from './login.ts'
import * as ownSessions from './own-sessions.ts'
import * as useCases from './use-cases.ts'

export const handler = createGroupHandler(sessions, {
  ...login,
  ...useCases,
  ...ownSessions,
})
