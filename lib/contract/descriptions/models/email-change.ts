import { emailConfirmationLifetimeMs } from '../../../limits/limits.ts'
import { describeDuration } from '../../../util/describe-duration.ts'
import { ChangeOwnEmailRequest, ConfirmEmailRequest } from '../../models/email-change.ts'
import { describeModel } from '../describe.ts'
import { exampleCredentials } from '../example-values.ts'

export const emailChangeTexts = [
  describeModel(ConfirmEmailRequest, {
    description: 'The confirmation that an email address belongs to a user.',
    fields: {
      token: `The value from the link in the email, with the prefix \`lkc_\`. It works once, for ${describeDuration(emailConfirmationLifetimeMs)}. A newer email ends it.`,
    },
    example: { token: exampleCredentials.emailConfirmation },
  }),
  describeModel(ChangeOwnEmailRequest, {
    description:
      'A new email address for the own account. The old one stays in use until the new one is confirmed.',
    fields: {
      email:
        'The new address, such as `name@example.com`. It gets an email with a link. The present address withdraws a change that waits.',
    },
    example: { email: 'ada.king@example.com' },
  }),
]
