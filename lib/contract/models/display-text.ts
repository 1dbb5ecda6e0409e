import * as z from 'zod/mini'

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
const unwanted =
  /(?![\u061c\u200c-\u200f\p{Variation_Selector}\u{e0020}-\u{e007f}\p{Co}\p{Cn}])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Whether a text contains an invisible character. Names that are compared with others have none. */
export const hasInvisible = (text: string): boolean => text.search(invisible) >= 0

/** Whether a text shows nothing. */
const isBlank = (text: string): boolean => text.replaceAll(invisible, '').trim() === ''

/** Whether a text is one line of visible characters, with their joiners, variants and direction. */
export const isDisplayText = (text: string): boolean => text.search(unwanted) < 0 && !isBlank(text)

/** Removes from a text of others what `isDisplayText` refuses. Null if nothing visible is left. */
export const toDisplayText = (text: string, maximum: number): string | null => {
  const shown = text.slice(0, maximum).replaceAll(unwanted, '')
  return isBlank(shown) ? null : shown
}

// A blank text has one error, not two.
const visible = z.refine<string>((text) => isBlank(text) || text.search(unwanted) < 0, invisibleRule)
const notBlank = z.refine<string>((text) => text === '' || !isBlank(text), blankRule)

/** One line of 1 to `maximum` characters that a person chooses as a name. */
export const displayText = (maximum: number) =>
  z.string().check(z.minLength(1), z.maxLength(maximum), visible, notBlank)
/** The same, or an empty text for none. */
export const nullableDisplayText255 = z.nullable(z.string().check(z.maxLength(255), visible, notBlank))

/** The name of an object of a product. It may come from a file, so only what no line can contain is refused. */
export const objectName = (maximum: number) =>
  z.string().check(
    z.minLength(1),
    z.maxLength(maximum),
    z.refine(
      (text) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text),
      'must be one line without control characters',
    ),
    notBlank,
  )
