const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

/** Escapes text for HTML, both between tags and inside quoted attributes, so that it never becomes markup. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities.get(character) ?? character)

/**
 * The form in which names are searched. Case, compatibility forms, and the amount of white space make no difference:
 * `STRASSE` finds `Straße`. Only the change of case in both directions joins all forms of a letter.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    // The form of a sigma depends on its place in the word, and the dot of a Turkish I is a separate character.
    .replaceAll('ς', 'σ')
    .replaceAll('i\u0307', 'i')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** Decodes a name or a value of `application/x-www-form-urlencoded`. Undefined if it is not percent-encoded UTF-8. */
export const decodeFormPart = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** The message of anything that was thrown. */
export const getErrorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Returns an ID in a form that sorts like the number. */
export const sortableId = (id: number): string => String(id).padStart(10, '0')

/**
 * Counts the bytes of a part of a body in the result of a function. The result is JSON that contains the body as text, so
 * each quote and backslash of the body takes two bytes there.
 */
export const countResultBytes = (part: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(part)))
