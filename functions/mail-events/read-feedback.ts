import * as z from 'zod/mini'

/** What the mail service has to say of a mail that it took from us. */
export type Feedback =
  | {
      readonly reason: 'bounce' | 'complaint'
      readonly feedbackId: string
      /** Those that are to get no more mail; as the mail service spells them. */
      readonly addresses: readonly string[]
    }
  /** Nothing to do: the mailbox is full, or somebody said that a mail is no spam. */
  | 'passing'

const short = z.string().check(z.minLength(1), z.maxLength(256))
const address = z.string().check(z.minLength(3), z.maxLength(512))
const recipients = z.array(z.object({ emailAddress: address })).check(z.minLength(1), z.maxLength(100))
const mail = z.object({ destination: z.array(address).check(z.maxLength(100)) })

/** Events of a configuration set in SES; what we don't look at may be there and isn't read. */
const SesEvent = z.discriminatedUnion('eventType', [
  z.object({
    eventType: z.literal('Bounce'),
    bounce: z.object({
      bounceType: z.enum(['Permanent', 'Transient', 'Undetermined']),
      bouncedRecipients: recipients,
      feedbackId: short,
    }),
    mail,
  }),
  z.object({
    eventType: z.literal('Complaint'),
    complaint: z.object({
      complainedRecipients: recipients,
      complaintFeedbackType: z.optional(z.nullable(short)),
      feedbackId: short,
    }),
    mail,
  }),
])
type SesEvent = z.output<typeof SesEvent>

/** Reads a message of the topic. Undefined for whatever isn't a bounce or a complaint as SES writes them. */
export const readFeedback = (message: string): Feedback | undefined => {
  const result = z.safeParse(SesEvent, parsed(message))
  return result.success ? feedbackOf(result.data) : undefined
}

const parsed = (message: string): unknown => {
  try {
    return JSON.parse(message)
  } catch {
    return undefined
  }
}

const feedbackOf = (event: SesEvent): Feedback => {
  if (event.eventType === 'Bounce') {
    const { bounceType, bouncedRecipients, feedbackId } = event.bounce
    if (bounceType !== 'Permanent') return 'passing'
    return { reason: 'bounce', feedbackId, addresses: addressesOf(event, bouncedRecipients) }
  }
  const { complaintFeedbackType, complainedRecipients, feedbackId } = event.complaint
  if (complaintFeedbackType === 'not-spam') return 'passing'
  return { reason: 'complaint', feedbackId, addresses: addressesOf(event, complainedRecipients) }
}

/**
 * The address that we sent to, which is one a mail. The one that the receiving side names may be another that the mail
 * was forwarded to: nobody here has it, and whoever forwards could have anybody's suppressed.
 */
const addressesOf = (
  { mail: { destination } }: SesEvent,
  named: readonly { readonly emailAddress: string }[],
): readonly string[] => (destination.length === 1 ? destination : named.map((one) => one.emailAddress))
