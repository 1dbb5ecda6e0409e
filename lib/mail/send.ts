import type { Config } from '../core/config.ts'
import { NoSender } from './failures.ts'
import type { Mail } from './mail.ts'
import type { SendMail } from './ses.ts'

let opening: Promise<SendMail> | undefined

/**
 * Sends a mail. The client of SES takes longer to load than most requests take in all, so it is loaded with the
 * first mail of a process, and kept.
 *
 * @throws NoSender where mail isn't set up, and whatever the client throws: see `failures.ts`.
 */
export const sendMail = async (config: Config, mail: Mail): Promise<void> => {
  if (config.mailFrom === undefined) throw new NoSender()
  opening ??= import('./ses.ts').then(({ createMailSender }) => createMailSender(config))
  await (await opening)(mail)
}
