import { passkeys } from '../../lib/contract/operations/passkeys.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'
import * as login from './login.ts'

export const handler = createGroupHandler(passkeys, {
  ...login,
  ...onDemand(
    () => import('./own-passkeys.ts'),
    'getOwnPasskeys',
    'getUserPasskeys',
    'createPasskey',
    'patchPasskey',
    'deletePasskey',
    'deleteUserPasskey',
  ),
  ...onDemand(() => import('./settings.ts'), 'getPasskeySettings', 'updatePasskeySettings'),
  ...onDemand(() => import('./start-registration.ts'), 'startPasskeyRegistration'),
})
