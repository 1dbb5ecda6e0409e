import { expect } from 'vitest'
import type { Answer } from './client.ts'
import type { ReceivedMail } from './mailbox.ts'
import type { Person } from './people.ts'
import type { TestService } from './service.ts'

/** Waits for the security email with this subject, and returns the token of its link, other than a known one. */
export const awaitReportToken = async (
  { mailbox }: TestService,
  { user }: Pick<Person, 'user'>,
  subject: string,
  knownToken = '',
): Promise<string> => {
  const isWanted = (mail: ReceivedMail) =>
    mail.to.includes(user.email ?? '') &&
    mail.subject === `Latchkey: ${subject}` &&
    (knownToken === '' || !mail.text.includes(knownToken))
  await expect.poll(() => mailbox.mails.some(isWanted), { timeout: 10_000 }).toBe(true)
  return /\/secure#token=(\S+)/.exec(mailbox.mails.findLast(isWanted)?.text ?? '')?.[1] ?? ''
}

/** Reports a change as not one's own. */
export const reportChange = ({ client }: TestService, token: string): Promise<Answer> =>
  client('POST', '/api/2/auth/security-report', { body: { token } })
