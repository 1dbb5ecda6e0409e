import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses'
import { mailSendingMs } from '../../kernel/limits/limits.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { readMailSender, toMailSource } from '../../kernel/settings/mail-sender.ts'
import type { Email } from './email.ts'
import { NoSender } from './failures.ts'

export type SendEmail = (email: Email) => Promise<void>

/**
 * Creates a function that sends emails with the structured operation of SES, where no field can become a header or
 * another part of the message.
 *
 * @throws NoSender if no valid sender is configured.
 */
export const createEmailSender = (
  { mailFrom, mailConfigurationSet, sesEndpoint }: Config,
  timeoutMs = mailSendingMs,
): SendEmail => {
  const sender = readMailSender(mailFrom ?? '')
  if (!sender) throw new NoSender()
  const client = new SESClient({
    ...(sesEndpoint ? { endpoint: sesEndpoint } : {}),
    // No retry: if a response was lost, the email may have been sent, and a retry would send it twice.
    maxAttempts: 1,
    // SES may close a connection that was kept, just as the next email begins. No one would know whether it was sent.
    requestHandler: {
      connectionTimeout: 2000,
      httpAgent: { keepAlive: false },
      httpsAgent: { keepAlive: false },
    },
  })
  const toContent = (text: string) => ({ Charset: 'UTF-8', Data: text })
  return async ({ to, subject, text, html, sender: { name, replyTo } = {} }) => {
    await client.send(
      new SendEmailCommand({
        // The address stays the verified one, to which the role of the function is limited.
        Source: name === undefined ? sender.source : toMailSource(sender.address, name),
        ...(replyTo === undefined ? {} : { ReplyToAddresses: [replyTo] }),
        Destination: { ToAddresses: [to] },
        Message: {
          Subject: toContent(subject),
          Body: { Text: toContent(text), Html: toContent(html) },
        },
        ...(mailConfigurationSet ? { ConfigurationSetName: mailConfigurationSet } : {}),
      }),
      // The option `requestTimeout` only logs a warning, and the call continues.
      { abortSignal: AbortSignal.timeout(timeoutMs) },
    )
  }
}
