import { expect } from 'vitest'
import type { TestService } from './service.ts'

/** Waits for the email with a link to this page of the service, such as `reset`, and returns the latest link. */
export const readMailedLink = async (
  { mailbox }: TestService,
  address: string,
  page: string,
): Promise<string> => {
  const pattern = new RegExp(`http\\S+/${page}#token=\\S+`)
  const find = () =>
    mailbox.mails
      .filter(({ to }) => to.includes(address))
      .map(({ text }) => pattern.exec(text)?.[0])
      .findLast((link) => link !== undefined)
  await expect.poll(find, { timeout: 10_000 }).toBeDefined()
  return find() ?? ''
}
