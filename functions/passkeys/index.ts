import { passkeys } from '../../lib/contract/operations/passkeys.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as create from './create.ts'
import * as deletion from './delete.ts'
import * as list from './list.ts'
import * as login from './login.ts'
import * as reauthenticate from './reauthenticate.ts'
import * as rename from './rename.ts'
import * as settings from './settings.ts'
import * as startLogin from './start-login.ts'
import * as startRegistration from './start-registration.ts'

export const handler = createGroupHandler(passkeys, {
  ...create,
  ...deletion,
  ...list,
  ...login,
  ...reauthenticate,
  ...rename,
  ...settings,
  ...startLogin,
  ...startRegistration,
})
