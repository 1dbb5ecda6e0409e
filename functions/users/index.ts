import { users } from '../../lib/contract/operations/users.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { changeOwnEmail } from './change-own-email.ts'
import { confirmEmail } from './confirm-email.ts'
import { createUser } from './create.ts'
import { deleteUser } from './delete.ts'
import { endUserSessions } from './end-sessions.ts'
import { getUser } from './get.ts'
import { inviteUser, revokeInvitation } from './invite.ts'
import { getAllUsers } from './list.ts'
import { getCurrentUser, updateCurrentUser, updateProfile } from './me.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'
import { getOwnSamlAccounts, getUserSamlAccounts } from './saml-accounts.ts'
import { sendEmailConfirmation } from './send-confirmation.ts'
import { sendPasswordReset } from './send-reset.ts'
import { disableTotp } from './totp-disable.ts'
import { enableTotp } from './totp-enable.ts'
import { syncTotp } from './totp-sync.ts'
import { unlinkOwnSamlAccount, unlinkUserSamlAccount } from './unlink-saml-account.ts'
import { patchUser, updateUser } from './update.ts'

export const handler = createGroupHandler(users, {
  getCurrentUser,
  updateCurrentUser,
  updateProfile,
  createUser,
  getUser,
  getAllUsers,
  updateUser,
  patchUser,
  deleteUser,
  endUserSessions,
  changeOwnEmail,
  sendEmailConfirmation,
  confirmEmail,
  sendPasswordReset,
  inviteUser,
  revokeInvitation,
  enableTotp,
  renewRecoveryCodes,
  syncTotp,
  disableTotp,
  getOwnSamlAccounts,
  unlinkOwnSamlAccount,
  getUserSamlAccounts,
  unlinkUserSamlAccount,
})
