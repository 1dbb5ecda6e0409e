import type { Config } from '../../kernel/settings/config.ts'
import type { Email } from './email.ts'
import { NoSender } from './failures.ts'
import type { SendEmail } from './ses.ts'

let loading: Promise<SendEmail> | undefined

/**
 * Sends an email. The SES client takes longer to load than most requests take in total. It is therefore loaded with
 * the first email of a process and then kept.
 *
 * @throws NoSender if no sender is configured, and any error of the client: see `failures.ts`.
 */
export const sendEmail = async (config: Config, email: Email): Promise<void> => {
  if (config.mailFrom === undefined) throw new NoSender()
  loading ??= import('./ses.ts').then(({ createEmailSender }) => createEmailSender(config))
  await (await loading)(email)
}
