import { passwords } from '../../lib/contract/operations/passwords.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { evaluatePassword } from './evaluate.ts'
import { generatePassword } from './generate.ts'
import { getPasswordPolicy, updatePasswordPolicy } from './policy.ts'
import { requestPasswordReset } from './request-reset.ts'
import { resetPassword } from './reset.ts'

export const handler = handlerFor(passwords, {
  generatePassword,
  evaluatePassword,
  requestPasswordReset,
  resetPassword,
  getPasswordPolicy,
  updatePasswordPolicy,
})
