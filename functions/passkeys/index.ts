import * as login from '../../lib/features/passkeys/login.use-cases.ts'
import { passkeys } from '../../lib/features/passkeys/operations.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'

export const handler = createGroupHandler(passkeys, {
  ...login,
  ...onDemand(
    () => import('../../lib/features/passkeys/own-passkeys.use-cases.ts'),
    'getOwnPasskeys',
    'getUserPasskeys',
    'createPasskey',
    'patchPasskey',
    'deletePasskey',
    'deleteUserPasskey',
  ),
  ...onDemand(
    () => import('../../lib/features/passkeys/settings.use-cases.ts'),
    'getPasskeySettings',
    'updatePasskeySettings',
  ),
  ...onDemand(
    () => import('../../lib/features/passkeys/start-registration.use-cases.ts'),
    'startPasskeyRegistration',
  ),
})
