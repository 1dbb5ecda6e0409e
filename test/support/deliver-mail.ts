import { startOutbox } from '../../local/outbox.ts'
import { awaitMails } from './await-mails.ts'
import type { TestService } from './service.ts'

/** Sends all waiting emails of a service that sends none on its own. */
export const deliverMail = async ({ services }: TestService): Promise<void> => {
  const { handler } = await import('../../functions/mailer/index.ts')
  const { poke, close } = startOutbox({ table: services.table, deliver: handler })
  poke()
  await close()
}

const patterns = { token: /#token=(\S+)/, code: /^(\d{4} \d{4})$/m } as const

/** Sends all waiting emails, and returns the latest token or code in an email to this address, or in one whose subject begins like this. */
export const readMailed = async (
  service: TestService,
  address: string,
  wanted: keyof typeof patterns,
  subject = '',
): Promise<string> => {
  await deliverMail(service)
  // The service may send emails on its own as well.
  await awaitMails(service)
  const { text } = await service.mailbox.mailTo(
    address,
    (mail) => patterns[wanted].test(mail.text) && mail.subject.startsWith(subject),
  )
  return patterns[wanted].exec(text)?.[1] ?? ''
}
