import * as z from 'zod/mini'
import type { Services } from '../../services.ts'
import { handleFeedback } from './handle-feedback.ts'

interface Message {
  readonly id: string
  readonly text: string
}

const SnsEvent = z.object({
  Records: z.array(
    z.object({
      EventSource: z.literal('aws:sns'),
      Sns: z.object({ MessageId: z.string().check(z.minLength(1), z.maxLength(100)), Message: z.string() }),
    }),
  ),
})

/** Returns the messages of an SNS event, or undefined if the event is not from SNS. */
const readMessages = (event: unknown): readonly Message[] | undefined => {
  const result = z.safeParse(SnsEvent, event)
  return result.success
    ? result.data.Records.map(({ Sns }) => ({ id: Sns.MessageId, text: Sns.Message }))
    : undefined
}

/** Handles what SES reports about bounces and complaints: see `infra/parts/mail.ts`. */
export const createFeedbackJob =
  (services: Services) =>
  async (event: unknown): Promise<void> => {
    const messages = readMessages(event)
    if (!messages) services.log.warn('mail_event.unreadable')
    for (const { id, text } of messages ?? []) await handleFeedback(services, id, text)
  }
