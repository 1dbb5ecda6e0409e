import { passwords } from '../../lib/contract/operations/passwords.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { notImplemented } from '../../lib/http/use-case.ts'

export const handler = handlerFor(passwords, {
  generatePassword: notImplemented,
  evaluatePassword: notImplemented,
  requestPasswordReset: notImplemented,
  resetPassword: notImplemented,
  getPasswordPolicy: notImplemented,
  updatePasswordPolicy: notImplemented,
})
