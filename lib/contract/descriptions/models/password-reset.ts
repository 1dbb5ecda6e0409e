import { resetTokenLifetimeMs } from '../../../limits/limits.ts'
import { describeDuration } from '../../../util/describe-duration.ts'
import { PasswordResetEndpointRequest, RequestPasswordResetRequest } from '../../models/password-reset.ts'
import { newPasswordRule } from '../common-texts.ts'
import { describeModel } from '../describe.ts'
import { exampleCredentials, exampleNewPassword } from '../example-values.ts'

export const passwordResetTexts = [
  describeModel(PasswordResetEndpointRequest, {
    description: 'A new password, with the proof that the user got the email about it.',
    fields: {
      token: `The value from the link in the email, with the prefix \`lkr_\`. It works once, for ${describeDuration(resetTokenLifetimeMs)}. A newer link ends it. A rejected password does not use it up.`,
      password: `The new password. ${newPasswordRule} All sessions of the user end. The second factor stays on.`,
      end_api_tokens: 'Whether all API tokens of the user end, too. Default: `false`.',
    },
    example: { token: exampleCredentials.resetToken, password: exampleNewPassword, end_api_tokens: true },
  }),
  describeModel(RequestPasswordResetRequest, {
    description:
      'The account that gets an email with a reset link. Exactly one of the two fields is required.',
    fields: {
      username: 'The username of the account, without regard to case.',
      email: 'The verified email address of the account, without regard to case.',
    },
    example: { email: 'ada@example.com' },
  }),
]
