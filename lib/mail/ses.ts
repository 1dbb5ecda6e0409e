import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses'
import type { Config } from '../core/config.ts'
import { mailSendingMs } from '../core/limits.ts'
import { readMailSender } from '../core/mail-sender.ts'
import { NoSender } from './failures.ts'
import type { Mail } from './mail.ts'

export type SendMail = (mail: Mail) => Promise<void>

/**
 * Sends by SES's structured operation: what is in a field can't become a header or another part.
 *
 * @throws NoSender where there is none to send as.
 */
export const createMailSender = (
  { mailFrom, mailConfigurationSet, sesEndpoint }: Config,
  patienceMs = mailSendingMs,
): SendMail => {
  const sender = readMailSender(mailFrom ?? '')
  if (!sender) throw new NoSender()
  const client = new SESClient({
    ...(sesEndpoint ? { endpoint: sesEndpoint } : {}),
    maxAttempts: 1, // an answer that got lost may stand for a mail that went out: nobody wants it twice
    requestHandler: { connectionTimeout: 2000 },
  })
  const utf8 = (text: string) => ({ Charset: 'UTF-8', Data: text })
  return async ({ to, subject, text, html }) => {
    await client.send(
      new SendEmailCommand({
        Source: sender.source,
        Destination: { ToAddresses: [to] },
        Message: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) } },
        ...(mailConfigurationSet ? { ConfigurationSetName: mailConfigurationSet } : {}),
      }),
      // Not `requestTimeout`: by itself that only writes a warning, and the call goes on.
      { abortSignal: AbortSignal.timeout(patienceMs) },
    )
  }
}
