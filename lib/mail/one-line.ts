/** Characters that are invisible or change the direction of the text after them. */
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const whiteSpace = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu

/**
 * Makes text from a user safe inside a line of the service. It removes line breaks and characters that change the
 * direction of the surrounding text. It also breaks up `=?`, because email programs would decode an encoded word (RFC
 * 2047 2) into such characters. Longer texts are cut at `maxCharacters`.
 */
export const toOneLine = (text: string, maxCharacters: number): string => {
  const line = text
    .toWellFormed()
    .replaceAll(invisible, '')
    .replaceAll(whiteSpace, ' ')
    .replaceAll('=?', '= ?')
  const characters = [...line.trim()]
  if (characters.length <= maxCharacters) return characters.join('')
  const shortened = characters.slice(0, maxCharacters - 1).join('')
  return `${shortened.trimEnd()}…`
}

/** Like `toOneLine`, for text between the quotation marks of any language, so it must not contain any of them. */
export const toQuotedLine = (text: string, maxCharacters: number): string =>
  toOneLine(text, maxCharacters).replaceAll(/[“”„‟«»「」『』]/g, '"')
