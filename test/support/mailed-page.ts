import type { ReceivedMail } from './mailbox.ts'
import type { TestService } from './service.ts'

/** Finds the link to this page of the service in an email. */
const findLink = ({ text }: ReceivedMail, page: string): string | undefined =>
  new RegExp(`http\\S+/${page}(\\?\\S+)?#token=\\S+`).exec(text)?.[0]

const tokenOf = (link: string): string => link.replace(/.*#token=/, '')

/** The tokens that an address got so far with links to this page, the latest one last. */
export const listMailedTokens = (
  { mailbox }: TestService,
  address: string | null,
  page: string,
): readonly string[] =>
  mailbox.mailsTo(address).flatMap((mail) => {
    const link = findLink(mail, page)
    return link === undefined ? [] : [tokenOf(link)]
  })

/** Waits for the email with a link to this page of the service, such as `reset`, and returns the latest link. */
export const readMailedLink = async (
  { mailbox }: TestService,
  address: string | null,
  page: string,
  isWanted: (mail: ReceivedMail) => boolean = () => true,
): Promise<string> => {
  const found = await mailbox.mailTo(address, (mail) => findLink(mail, page) !== undefined && isWanted(mail))
  return findLink(found, page) ?? ''
}

/** Waits for the email with such a link, and returns the token of the latest one. */
export const readMailedToken = async (...given: Parameters<typeof readMailedLink>): Promise<string> =>
  tokenOf(await readMailedLink(...given))
