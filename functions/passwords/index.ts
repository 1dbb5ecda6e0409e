import { passwords } from '../../lib/contract/operations/passwords.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { notImplemented } from '../../lib/http/use-case.ts'
import { requestPasswordReset } from './request-reset.ts'
import { resetPassword } from './reset.ts'

export const handler = handlerFor(passwords, {
  generatePassword: notImplemented,
  evaluatePassword: notImplemented,
  requestPasswordReset,
  resetPassword,
  getPasswordPolicy: notImplemented,
  updatePasswordPolicy: notImplemented,
})
