import { passkeys } from '../../lib/contract/operations/passkeys.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as login from './login.ts'
import * as ownPasskeys from './own-passkeys.ts'
import * as settings from './settings.ts'
import * as startRegistration from './start-registration.ts'

export const handler = createGroupHandler(passkeys, {
  ...ownPasskeys,
  ...login,
  ...settings,
  ...startRegistration,
})
