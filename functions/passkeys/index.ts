import { passkeys } from '../../lib/contract/operations/passkeys.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { createPasskey } from './create.ts'
import { deletePasskey, deleteUserPasskey } from './delete.ts'
import { getOwnPasskeys, getUserPasskeys } from './list.ts'
import { loginWithPasskey } from './login.ts'
import { reauthenticateWithPasskey, startPasskeyReauthentication } from './reauthenticate.ts'
import { patchPasskey } from './rename.ts'
import { getPasskeySettings, updatePasskeySettings } from './settings.ts'
import { startPasskeyLogin } from './start-login.ts'
import { startPasskeyRegistration } from './start-registration.ts'

export const handler = createGroupHandler(passkeys, {
  startPasskeyRegistration,
  createPasskey,
  getOwnPasskeys,
  patchPasskey,
  deletePasskey,
  getPasskeySettings,
  updatePasskeySettings,
  getUserPasskeys,
  deleteUserPasskey,
  startPasskeyLogin,
  loginWithPasskey,
  startPasskeyReauthentication,
  reauthenticateWithPasskey,
})
