/**
 * Whether a text is one bare email address: no display name, no list, and nothing that could end the mail header that
 * contains it.
 */
export const isEmailAddress = (text: string): boolean => pattern.test(text)

const pattern = /^[^\s\p{C}@,;:<>()[\]"\\]+@[^\s\p{C}@,;:<>()[\]"\\.]+(\.[^\s\p{C}@,;:<>()[\]"\\.]+)*$/u

/** Completes "The field …" for a text that is not an email address. */
export const emailAddressRule = 'must be one email address such as name@example.com'
