import * as z from 'zod/mini'
import { emailAddressRule, isEmailAddress } from './email-address.ts'
import { nonEmptyText } from './fields.ts'

// Texts for email messages. A line break in a header would start another header. A mark that changes the writing
// direction would change how the surrounding words read.

const longestSubject = 200
const longestText = 10_000

export const emailAddress = nonEmptyText.check(z.refine(isEmailAddress, { error: emailAddressRule }))

const directionMarks = /[\u202a-\u202e\u2066-\u2069]/
const lineSeparators = /[\p{Zl}\p{Zp}]/u

const isPlain = (text: string): boolean =>
  !/\p{Cc}/u.test(text) && !lineSeparators.test(text) && !directionMarks.test(text)

export const singleLine = nonEmptyText.check(
  z.refine(isPlain, 'must be one line without control characters'),
  z.refine((given) => given.trim() !== '', 'must contain more than whitespace'),
  z.refine((given) => given.length <= longestSubject, `must be at most ${longestSubject} characters long`),
)

export const multiLine = nonEmptyText.check(
  z.refine((given) => isPlain(given.replaceAll(/[\r\n\t]/g, '')), 'must be text without control characters'),
  z.refine((given) => given.length <= longestText, `must be at most ${longestText} characters long`),
)
