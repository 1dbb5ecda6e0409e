import type { Block } from './blocks.ts'
import type { EmailTextValues } from './own-texts/values.ts'
import type { ServiceText } from './user-text.ts'

export interface EmailContent {
  readonly subject: ServiceText
  /** The heading, if it differs from the subject. */
  readonly heading?: ServiceText
  /** What many email programs show beside the subject. */
  readonly preview: ServiceText
  /** The parts of the email, with at most one button. */
  readonly blocks: readonly Block[]
  /** What own words of this kind of email can say. Without it, the email has no own words. */
  readonly own?: EmailTextValues
}
