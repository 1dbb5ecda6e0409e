import { normalizeUsername } from '../common/names.ts'

/** Characters that are used for a letter (`p4$$w0rd`), and letters that look alike. */
const lookalikes = new Map(
  Object.entries({ 0: 'o', 1: 'i', 2: 'z', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g' }),
)
for (const [character, letter] of ['li', '!i', '|i', '@a', '$s', '+t'].map((pair) => [...pair]))
  lookalikes.set(character ?? '', letter ?? '')

/** The form in which words are compared: case, compatibility forms and lookalikes make no difference. */
export const foldWord = (word: string): string => foldCharacters([...normalizeUsername(word)])

const foldCharacters = (characters: readonly string[]): string =>
  characters.map((character) => lookalikes.get(character) ?? character).join('')

/** A word must make up this part of a password. Otherwise the other characters may be random. */
const minWordShare = 1 / 3

/** Longer than three times any word that passwords are compared with. */
const maxVariationLength = 200

/**
 * Returns the words, as `foldWord` returns them, that a password may be a simple variation of: another case, lookalikes,
 * and digits or punctuation before and after it. Takes time in proportion to the length.
 */
export const listVariedWords = (password: string): ReadonlySet<string> => {
  const characters = [...normalizeUsername(password)]
  const { length } = characters
  if (length > maxVariationLength) return new Set()
  const firstLetter = characters.findIndex(isLetter)
  const lastLetter = characters.findLastIndex(isLetter)
  const words = new Set<string>()
  for (const start of [0, Math.max(firstLetter, 0)])
    for (let end = length; end > lastLetter && end - start >= length * minWordShare; end--) {
      words.add(foldCharacters(characters.slice(start, end)))
      // Random digits often start with common ones.
      if (firstLetter < 0) break
    }
  return words
}

const isLetter = (character: string): boolean => /\p{L}/u.test(character)
