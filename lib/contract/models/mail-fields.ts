import * as z from 'zod/mini'
import { nonEmptyText } from './fields.ts'

// Texts that end up in a message, where a line break in a header would begin another header, and where a mark that
// turns the direction of writing would make the words around it read as something else.

const longestSubject = 200
const longestText = 10_000

/** One bare address: no display name, no list, nothing that could end the header it is put in. */
export const emailAddress = nonEmptyText.check(
  z.refine((given) => /^[^\s\p{C}@,;:<>()[\]"\\]+@[^\s\p{C}@,;:<>()[\]"\\]+$/u.test(given), {
    error: 'must be one e-mail address such as name@example.com',
  }),
)

const turnsDirection = /[\u202a-\u202e\u2066-\u2069]/
const separatesLines = /[\p{Zl}\p{Zp}]/u

const isPlain = (text: string): boolean =>
  !/\p{Cc}/u.test(text) && !separatesLines.test(text) && !turnsDirection.test(text)

export const singleLine = nonEmptyText.check(
  z.refine(isPlain, 'must be one line without control characters'),
  z.refine((given) => given.trim() !== '', 'must hold more than white space'),
  z.refine((given) => given.length <= longestSubject, `must be at most ${longestSubject} characters long`),
)

export const multiLine = nonEmptyText.check(
  z.refine((given) => isPlain(given.replaceAll(/[\r\n\t]/g, '')), 'must be text without control characters'),
  z.refine((given) => given.length <= longestText, `must be at most ${longestText} characters long`),
)
