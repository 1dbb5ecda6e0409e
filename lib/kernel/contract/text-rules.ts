/*
 * Texts that pages and emails show. An invisible character can make two names look the same, or a name look empty. So
 * these rules apply to every name that somebody chooses.
 */

/** Completes "The field …" for a name with invisible characters. */
export const invisibleRule = 'must not contain control or invisible characters'
/** Completes "The field …" for a name that shows nothing. */
export const blankRule = 'must contain a visible character'

/** Unicode counts the Braille blank as a symbol, and the fillers of Hangul as letters. Both are invisible. */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * The same without those that change how the characters next to them look: joiners of Persian and Indic letters and of
 * emoji, variants of Han characters, flags, and the direction of a word. Characters that are newer than the Unicode of this
 * Node.js count as visible.
 */
export const unwanted =
  /(?![\u061c\u200c-\u200f\p{Variation_Selector}\u{e0020}-\u{e007f}\p{Co}\p{Cn}])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Whether a text contains an invisible character. Names that are compared with others have none. */
export const hasInvisible = (text: string): boolean => text.search(invisible) >= 0

/** Whether a text shows nothing. */
export const isBlank = (text: string): boolean => text.replaceAll(invisible, '').trim() === ''

/** Whether a text is one line of visible characters, with their joiners, variants and direction. */
export const isDisplayText = (text: string): boolean => text.search(unwanted) < 0 && !isBlank(text)

/** Removes from a text of others what `isDisplayText` refuses. Null if nothing visible is left. */
export const toDisplayText = (text: string, maximum: number): string | null => {
  const shown = text.slice(0, maximum).replaceAll(unwanted, '')
  return isBlank(shown) ? null : shown
}

/**
 * Whether a text is one bare email address: no display name, no list, and nothing that could end the mail header that
 * contains it.
 */
export const isEmailAddress = (text: string): boolean => emailPattern.test(text)
const emailPattern = /^[^\s\p{C}@,;:<>()[\]"\\]+@[^\s\p{C}@,;:<>()[\]"\\.]+(\.[^\s\p{C}@,;:<>()[\]"\\.]+)*$/u

/** Completes "The field …" for a text that is not an email address. */
export const emailAddressRule = 'must be one email address such as name@example.com'

/**
 * Returns the URL of a page from its path, or from its http(s) URL. Browsers read `//`, `/\` and a tab within either as the
 * start of another host, so these are no paths. A `blob:` URL has the origin of the page that created it, but is no page.
 */
export const parsePageAddress = (text: string, publicUrl: string): URL | undefined => {
  if (/[\s\p{C}\\]/u.test(text) || text.startsWith('//')) return undefined
  // With a base, `https:evil.example` would be a path.
  const url = text.startsWith('/') ? URL.parse(text, publicUrl) : URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
}

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

/** The name of a system that users are imported from. Keys put a space after it. */
export const externalSourceForm = /^[a-z\d][a-z\d-]{0,39}$/
/** Completes "The field …" for such a name. */
export const externalSourceRule = 'must be up to 40 lower-case letters, digits and hyphens'

/** What `sub` begins with for users without an ID in the system that a client came from. No ID in another system begins with it. */
export const ownSubjectPrefix = 'latchkey:'

/** What begins the claim `sub` of an organization that calls with an API token of its own. Code that reads the leading digits finds no user in it. */
export const organizationTokenSubject = 'organization-token:'

export const nameOrganizationToken = (id: number): string => `${organizationTokenSubject}${id}`

/** How events name the directory of a customer, which belongs to no user. */
export const nameDirectory = (connectionId: number): string => `directory of connection:${connectionId}`

/** The ID of the API token with this name. Undefined for other names. */
export const findOrganizationTokenId = (name = ''): number | undefined => {
  const id = name.startsWith(organizationTokenSubject) ? name.slice(organizationTokenSubject.length) : ''
  return /^[1-9]\d{0,9}$/.test(id) ? Number(id) : undefined
}

/** The names of claims that a service adds to tokens. */
export const claimNameForm = /^[A-Za-z][\w.:/-]{0,99}$/
export const claimNameRule = 'must be up to 100 letters, digits and ._:/-, with a letter at first'
