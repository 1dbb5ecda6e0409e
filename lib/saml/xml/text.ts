import { XmlError } from './xml-error.ts'

const namedCharacters = new Map<string, string>(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
)

/** Rejects characters that XML does not allow in any notation (XML 1.0 2.2). @throws XmlError */
export const checkCharacters = (text: string): void => {
  if (/[^\P{Cc}\t\n\r\u007f-\u009f]|[\ufffe\uffff]/u.test(text) || !text.isWellFormed())
    throw new XmlError('contains characters that XML does not allow')
}

/**
 * Resolves the five predefined references and numeric character references in a text.
 *
 * @throws XmlError for all other references, because those are entities.
 */
export const resolveReferences = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(
        /&(?:#(\d{1,7});|#x([\dA-Fa-f]{1,6});|(amp|lt|gt|quot|apos);)?/g,
        (...[, decimal, hex, name]) => {
          if (name !== undefined) return namedCharacters.get(name) ?? ''
          const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
          if (Number.isNaN(code)) throw new XmlError('refers to an entity, which is not allowed')
          const character = code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffe'
          checkCharacters(character)
          return character
        },
      )
    : text
