import { reportChange as reportStoredChange } from '../../lib/accounts/security-reports/report-change.ts'
import type { passwords } from '../../lib/contract/operations/passwords.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

/** Undoes what happened since a change that its user did not make. The token comes from the email about the change. */
export const reportChange: UseCase<typeof passwords.reportChange> = async ({ body, context }, services) => {
  const result = await reportStoredChange(services, body.token, context)
  return {
    status: 200,
    body: {
      email_restored: result.isEmailRestored,
      password_invalidated: result.isPasswordInvalidated,
      reset_email_sent: result.isResetEmailSent,
    },
  }
}
