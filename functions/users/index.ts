import { users } from '../../lib/contract/operations/users.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { notImplemented } from '../../lib/http/use-case.ts'
import { createUser } from './create.ts'
import { getUser } from './get.ts'
import { getCurrentUser, updateCurrentUser } from './me.ts'
import { setUserPassword } from './set-password.ts'

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
  changeOwnPassword: notImplemented,
  sendPasswordReset: notImplemented,
  enableTotp: notImplemented,
  syncTotp: notImplemented,
  disableTotp: notImplemented,
})
