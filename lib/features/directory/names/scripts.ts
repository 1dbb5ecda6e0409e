/*
 * Unicode Technical Standard 39, section 5.2: the level "highly restrictive". Letters of different scripts often look the
 * same, such as the Latin and the Cyrillic `a`. A name of letters from both can look like the name of another user.
 */

/** The scripts that are recommended for identifiers (UAX 31, table 5). Others are rare, and count as one script. */
const recommended = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Bopomofo',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Gurmukhi',
  'Han',
  'Hangul',
  'Hebrew',
  'Hiragana',
  'Kannada',
  'Katakana',
  'Khmer',
  'Lao',
  'Latin',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
] as const

/** The scripts that Japanese, Chinese and Korean names use together, also with Latin. */
const combinations = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
] as const

/** Matches a text whose letters all belong to these scripts. Digits, punctuation and marks belong to every script. */
const buildPattern = (scripts: readonly string[]): RegExp =>
  new RegExp(
    `^[${['Common', 'Inherited', ...scripts].map((script) => `\\p{scx=${script}}`).join('')}]*$`,
    'u',
  )

/** Compiled on first use, because most functions never need the patterns. */
let patterns: readonly RegExp[] | undefined
const getPatterns = (): readonly RegExp[] => {
  patterns ??= [...recommended.map((script) => [script]), ...combinations].map(buildPattern)
  return patterns
}

const hasRecommended = (text: string): boolean =>
  new RegExp(`[${recommended.map((script) => `\\p{Script=${script}}`).join('')}]`, 'u').test(text)

/** Whether a text has letters of scripts that no writing system uses together. */
export const hasMixedScripts = (text: string): boolean => {
  const form = text.normalize('NFKC')
  return !getPatterns().some((pattern) => pattern.test(form)) && hasRecommended(form)
}
