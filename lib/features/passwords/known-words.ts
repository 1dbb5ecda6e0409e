import { normalizeUsername } from '../../accounts/names/names.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { splitWords } from './own-names.ts'

/**
 * Whether a password is in the dictionaries of zxcvbn, or a simple variation of an entry. They have about 49,000 common
 * passwords, and about 187,000 English words and names.
 */
export const isCommonPassword = async (password: string): Promise<boolean> => {
  const words = listVariedWords(password)
  const [lengths, starts] = [new Set<number>(), new Set<string>()]
  for (const word of words) {
    lengths.add(word.length)
    starts.add(word.charAt(0))
  }
  // Most entries differ in their length or first character, so few are compared as a whole.
  const isVaried = (entry: string): boolean =>
    lengths.has(entry.length) && starts.has(foldWord(entry.charAt(0))) && words.has(foldWord(entry))
  return (await loadDictionaries()).some((entries) => entries.some(isVaried))
}

/** The dictionaries have 1.6 MB, so they are loaded on first use. */
const loadDictionaries = async (): Promise<readonly (readonly string[])[]> => {
  const [common, english] = await Promise.all([
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return Object.values({ ...common.dictionary, ...english.dictionary })
}

type NamingConfig = Pick<Config, 'publicUrl' | 'mailFrom'>

/**
 * Whether a password is a simple variation of a word that attackers of this service try first: the names of the user,
 * the name and the domain of the service, or "Latchkey".
 */
export const isContextWord = (password: string, config: NamingConfig, user: UserRecord): boolean => {
  const varied = listVariedWords(password)
  return listContextWords(config, user).some((word) => varied.has(foldWord(word)))
}

/** The words that attackers of this service try first for a user: see `isContextWord`. */
export const listContextWords = (config: NamingConfig, user: UserRecord): readonly string[] => [
  ...listServiceWords(config),
  ...splitWords(user),
]

const listServiceWords = ({ publicUrl, mailFrom = '' }: NamingConfig): readonly string[] => {
  const [name = ''] = mailFrom.split('<')
  const domain = mailFrom.split('@').at(-1)?.replace('>', '') ?? ''
  const names = [name, name.replaceAll(/\s/g, ''), domain, URL.parse(publicUrl)?.hostname ?? '']
  const words = names.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
  return ['latchkey', ...words].filter((word) => word !== '')
}

/** Characters that are used for a letter (`p4$$w0rd`), and letters that look alike. */
const lookalikes = new Map(
  Object.entries({ 0: 'o', 1: 'i', 2: 'z', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g' }),
)
for (const [character, letter] of ['li', '!i', '|i', '@a', '$s', '+t'].map((pair) => [...pair]))
  lookalikes.set(character ?? '', letter ?? '')

/** The form in which words are compared: case, compatibility forms and lookalikes make no difference. */
const foldWord = (word: string): string => foldCharacters([...normalizeUsername(word)])

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
const listVariedWords = (password: string): ReadonlySet<string> => {
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
