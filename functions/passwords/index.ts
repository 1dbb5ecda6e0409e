import { passwords } from '../../lib/contract/operations/passwords.ts'
import { createHandler } from '../../lib/http/handler.ts'
import { changeOwnPassword } from './change-own-password.ts'
import { evaluatePassword } from './evaluate.ts'
import { generatePassword } from './generate.ts'
import { getPasswordPolicy, updatePasswordPolicy } from './policy.ts'
import { reportChange } from './report-change.ts'
import { requestPasswordReset } from './request-reset.ts'
import { resetPassword } from './reset.ts'
import { setUserPassword } from './set-password.ts'
import { getSignInPolicy, updateSignInPolicy } from './sign-in-policy.ts'

export const handler = createHandler(passwords, {
  generatePassword,
  evaluatePassword,
  requestPasswordReset,
  resetPassword,
  reportChange,
  getPasswordPolicy,
  updatePasswordPolicy,
  getSignInPolicy,
  updateSignInPolicy,
  changeOwnPassword,
  setUserPassword,
})
