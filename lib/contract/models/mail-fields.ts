import * as z from 'zod/mini'
import { nonEmptyText } from './fields.ts'

// Texts that end up in the headers of a message, where a line break would begin another header.

/** One bare address: no display name, no list, nothing that could end the header it is put in. */
export const emailAddress = nonEmptyText.check(
  z.refine((given) => /^[^\s\p{C}@,;:<>()[\]"\\]+@[^\s\p{C}@,;:<>()[\]"\\]+$/u.test(given), {
    error: 'must be one e-mail address such as name@example.com',
  }),
)

export const singleLine = nonEmptyText.check(
  z.refine((given) => !/[\p{Cc}\u2028\u2029]/u.test(given), 'must be one line without control characters'),
)

export const multiLine = nonEmptyText.check(
  z.refine(
    (given) => !/\p{Cc}/u.test(given.replaceAll(/[\r\n\t]/g, '')),
    'must be text without control characters',
  ),
)
