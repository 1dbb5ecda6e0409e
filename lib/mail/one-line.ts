/** Turns the direction of whatever comes after it, or can't be seen at all. */
const unseen = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const breaks = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu

/**
 * What somebody typed, made fit for a line of ours: without line breaks, without what would turn the words around it,
 * without the beginning of an encoded word (RFC 2047 2), which a mail client would decode into any of these, and no
 * longer than so many characters.
 */
export const toOneLine = (text: string, maxCharacters: number): string => {
  const plain = text.toWellFormed().replaceAll(unseen, '').replaceAll(breaks, ' ').replaceAll('=?', '= ?')
  const characters = [...plain.trim()]
  return characters.length <= maxCharacters
    ? characters.join('')
    : `${characters
        .slice(0, maxCharacters - 1)
        .join('')
        .trimEnd()}…`
}
