import { foldWord, listVariedWords } from './word-variations.ts'

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
