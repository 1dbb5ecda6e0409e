import type { ReceivedMail } from './mailbox.ts'
import type { TestService } from './service.ts'

/** Waits for the email with a link to this page of the service, such as `reset`, and returns the latest link. */
export const readMailedLink = async (
  { mailbox }: TestService,
  address: string | null,
  page: string,
  isWanted: (mail: ReceivedMail) => boolean = () => true,
): Promise<string> => {
  const pattern = new RegExp(`http\\S+/${page}#token=\\S+`)
  const { text } = await mailbox.mailTo(address, (mail) => pattern.test(mail.text) && isWanted(mail))
  return pattern.exec(text)?.[0] ?? ''
}

/** Waits for the email with such a link, and returns the token of the latest one. */
export const readMailedToken = async (...given: Parameters<typeof readMailedLink>): Promise<string> =>
  (await readMailedLink(...given)).replace(/.*#token=/, '')
