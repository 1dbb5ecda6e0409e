import { createServices } from '../../lib/services.ts'
import { handleFeedback } from './handle-feedback.ts'
import { readMessages } from './read-messages.ts'

const services = createServices(process.env)

/** Takes what SES tells of mails that bounced and of recipients who complained; see `infra/mail-events.ts`. */
export const handler = async (event: unknown): Promise<void> => {
  const messages = readMessages(event)
  if (!messages) services.log.warn('mail_event.unreadable')
  for (const { id, text } of messages ?? []) await handleFeedback(services, id, text)
}
