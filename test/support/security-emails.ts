import type { Answer } from './client.ts'
import type { Person } from './people.ts'
import type { TestService } from './service.ts'

/** Waits for the security email with this subject. Returns the token of its link, other than a known one, or "" without a link. */
export const awaitReportToken = async (
  { mailbox }: TestService,
  { user }: Pick<Person, 'user'>,
  subject: string,
  knownToken = '',
): Promise<string> => {
  const { text } = await mailbox.mailTo(
    user.email,
    (mail) =>
      mail.subject === `${subject} – Latchkey` && (knownToken === '' || !mail.text.includes(knownToken)),
  )
  return /\/secure#token=(\S+)/.exec(text)?.[1] ?? ''
}

/** Reports a change as not one's own. */
export const reportChange = ({ client }: TestService, token: string): Promise<Answer> =>
  client('POST', '/api/2/auth/security-report', { body: { token } })
