/** Turns the direction of whatever comes after it, or can't be seen at all. */
const unseen = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const breaks = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu

/**
 * What somebody typed, made fit for a line of ours: without line breaks, without what would turn the words around it,
 * and no longer than so many characters.
 */
export const oneLine = (text: string, maxCharacters: number): string => {
  const characters = [...text.toWellFormed().replaceAll(unseen, '').replaceAll(breaks, ' ').trim()]
  return characters.length <= maxCharacters
    ? characters.join('')
    : `${characters
        .slice(0, maxCharacters - 1)
        .join('')
        .trimEnd()}…`
}
