import { rememberedDevices } from '../../lib/features/remembered-devices/operations.ts'
import * as devices from '../../lib/features/remembered-devices/use-cases.ts'
import * as useCases from '../../lib/features/sign-in/email-code.use-cases.ts'
import * as login from '../../lib/features/sign-in/login.use-cases.ts'
import { sessions } from '../../lib/features/sign-in/operations.ts'
import * as ownSessions from '../../lib/features/sign-in/own-sessions.use-cases.ts'
import { createGroupHandler } from '../create-group-handler.ts'

export const handler = createGroupHandler(
  { ...sessions, ...rememberedDevices },
  {
    ...login,
    ...useCases,
    ...ownSessions,
    ...devices,
  },
)
