import { startOutbox } from '../../infra/local/outbox.ts'
import type { TestService } from '../support/service.ts'

/** Sends all waiting emails of a service that sends none on its own. */
export const deliverMail = async ({ services }: TestService): Promise<void> => {
  const { handler } = await import('../../functions/mailer/index.ts')
  const { poke, close } = startOutbox({ table: services.table, deliver: handler })
  poke()
  await close()
}

/** Sends all waiting emails, and returns what the latest one to this address contains. @throws Error if nothing does. */
export const readMailed = async (
  service: TestService,
  address: string,
  wanted: 'token' | 'code',
): Promise<string> => {
  await deliverMail(service)
  const { text } = await service.mailbox.mailTo(address)
  const [, token, code] = /#token=(\S+)|^(\d{4} \d{4})$/m.exec(text) ?? []
  const found = wanted === 'token' ? token : code
  if (found === undefined) throw new Error(`the email to ${address} has no ${wanted}`)
  return found
}
