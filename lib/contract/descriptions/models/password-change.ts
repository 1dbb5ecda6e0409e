import { ChangeOwnPasswordRequest, ChangePasswordRequest } from '../../models/password-change.ts'
import { newPasswordRule, oneTimeCode } from '../common-texts.ts'
import { describeModel } from '../describe.ts'
import { exampleCode, exampleNewPassword, examplePassword } from '../example-values.ts'

export const passwordChangeTexts = [
  describeModel(ChangeOwnPasswordRequest, {
    description: 'A new password for the own account. All other sessions of the user end.',
    fields: {
      password: `The new password. ${newPasswordRule}`,
      current_password: 'The current password. Wrong ones are limited like wrong passwords at the sign-in.',
      current_otp: oneTimeCode,
    },
    example: {
      password: exampleNewPassword,
      current_password: examplePassword,
      current_otp: exampleCode,
    },
  }),
  describeModel(ChangePasswordRequest, {
    description: 'A password that a user manager sets for another user. All sessions of the user end.',
    fields: {
      password: `The new password. ${newPasswordRule} Prefer to send a reset link, so that only the user knows the password.`,
      password_change_required:
        'Whether the user must choose another password at the next sign-in. Omitted, the setting of the user stays as it is.',
    },
    example: { password: exampleNewPassword, password_change_required: true },
  }),
]
