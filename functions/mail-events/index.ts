import { createServices } from '../../lib/services.ts'
import { handleFeedback } from './handle-feedback.ts'
import { readMessages } from './read-messages.ts'

const services = createServices(process.env)

/** Handles what SES reports about bounces and complaints: see `infra/parts/mail-events.ts`. */
export const handler = async (event: unknown): Promise<void> => {
  const messages = readMessages(event)
  if (!messages) services.log.warn('mail_event.unreadable')
  for (const { id, text } of messages ?? []) await handleFeedback(services, id, text)
}
