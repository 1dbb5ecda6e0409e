/** Characters of an API token that its owner chose. */
export const customTokenLength = { min: 32, max: 1023 } as const

/**
 * The characters that a bearer credential can have (`b64token` of RFC 6750 section 2.1). Equals signs are padding, so they
 * are at the end.
 */
export const customTokenCharacters = /^[\w.~+/-]+=*$/

/** Whether a value can be an API token that its owner chose. */
export const hasCustomTokenForm = (value: string): boolean =>
  value.length >= customTokenLength.min &&
  value.length <= customTokenLength.max &&
  customTokenCharacters.test(value)

/** The characters of a custom token without its padding, which adds no randomness. */
export const withoutPadding = (token: string): string => token.replace(/=+$/, '')
