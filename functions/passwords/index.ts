import { passwords } from '../../lib/contract/operations/passwords.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { changeOwnPassword } from './change-own-password.ts'
import { evaluatePassword } from './evaluate.ts'
import { generatePassword } from './generate.ts'
import { getPasswordPolicy, updatePasswordPolicy } from './policy.ts'
import { reportChange } from './report-change.ts'
import { requestPasswordReset } from './request-reset.ts'
import { resetPassword } from './reset.ts'
import { setUserPassword } from './set-password.ts'
import { getSignInPolicy, updateSignInPolicy } from './sign-in-policy.ts'

export const handler = createGroupHandler(passwords, {
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
