import { XmlRefused } from './faults.ts'

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** What no XML may hold, whichever way it is written (XML 1.0 2.2). @throws XmlRefused */
export const checkCharacters = (text: string): void => {
  if (/[^\P{Cc}\t\n\r\u007f-\u009f]|[\ufffe\uffff]/u.test(text) || !text.isWellFormed())
    throw new XmlRefused('holds characters that XML does not know')
}

/**
 * Text with its references resolved: the five that XML knows, and characters by their number.
 *
 * @throws XmlRefused for every other one, as those are entities.
 */
export const resolveReferences = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(
        /&(?:#(\d{1,7});|#x([\dA-Fa-f]{1,6});|(amp|lt|gt|quot|apos);)?/g,
        (...[, ten, hex, name]) => {
          if (name !== undefined) return named[name] ?? ''
          const code = ten === undefined ? Number.parseInt(hex ?? '', 16) : Number(ten)
          if (Number.isNaN(code)) throw new XmlRefused('refers to an entity, which is not read')
          const character = code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffe'
          checkCharacters(character)
          return character
        },
      )
    : text
