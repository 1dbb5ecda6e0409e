import { securityReportLifetimeMs } from '../../../limits/limits.ts'
import { describeDuration } from '../../../util/describe-duration.ts'
import { SecurityReportRequest, SecurityReportResult } from '../../models/security-report.ts'
import { describeModel } from '../describe.ts'
import { exampleCredentials } from '../example-values.ts'

export const securityReportTexts = [
  describeModel(SecurityReportRequest, {
    description: 'A report that a change of an account was not made by its owner.',
    fields: {
      token: `The value from the link in a security email, with the prefix \`lkn_\`. It works for ${describeDuration(securityReportLifetimeMs)}. Using it again completes what an interrupted report started.`,
    },
    example: { token: exampleCredentials.securityReport },
  }),
  describeModel(SecurityReportResult, {
    description:
      'What a report did. It always ends all sessions, and removes credentials that were added since the reported change.',
    fields: {
      email_restored: 'Whether the account got back the address that received the email.',
      password_invalidated:
        'Whether the password no longer works. The user then chooses a new one with a reset link.',
      reset_email_sent:
        'Whether an email with a reset link is about to be sent to the address that received the email.',
    },
    example: { email_restored: true, password_invalidated: true, reset_email_sent: true },
  }),
]
