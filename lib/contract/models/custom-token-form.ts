/** Whether an API token that its owner chose is neither too short nor too long. */
export const hasCustomTokenLength = ({ length }: string): boolean => length >= 32 && length <= 1023

/**
 * The characters that a bearer credential can have (`b64token` of RFC 6750 section 2.1). Equals signs are padding, so they
 * are at the end.
 */
export const customTokenCharacters = /^[\w.~+/-]+=*$/

/** Whether a value can be an API token that its owner chose. */
export const hasCustomTokenForm = (value: string): boolean =>
  hasCustomTokenLength(value) && customTokenCharacters.test(value)

/** The characters of a custom token without its padding, which adds no randomness. */
export const withoutPadding = (token: string): string => token.replace(/=+$/, '')
