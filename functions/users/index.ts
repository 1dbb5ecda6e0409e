import { users } from '../../lib/contract/operations/users.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { notImplemented } from '../../lib/http/use-case.ts'
import { changeOwnPassword } from './change-own-password.ts'
import { createUser } from './create.ts'
import { getUser } from './get.ts'
import { getCurrentUser, updateCurrentUser } from './me.ts'
import { sendPasswordReset } from './send-reset.ts'
import { setUserPassword } from './set-password.ts'
import { disableTotp } from './totp-disable.ts'
import { enableTotp } from './totp-enable.ts'
import { syncTotp } from './totp-sync.ts'

export const handler = handlerFor(users, {
  getCurrentUser,
  updateCurrentUser,
  createUser,
  getUser,
  setUserPassword,
  getAllUsers: notImplemented,
  updateUser: notImplemented,
  patchUser: notImplemented,
  deleteUser: notImplemented,
  endUserSessions: notImplemented,
  changeOwnPassword,
  sendPasswordReset,
  enableTotp,
  syncTotp,
  disableTotp,
})
