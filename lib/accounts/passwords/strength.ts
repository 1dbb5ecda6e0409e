import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { guessesPerSecond, longestCrackSeconds, strengthCharacters } from '../../core/limits.ts'

/** How hard a password is to guess for somebody who knows the habits of people, as zxcvbn estimates it. */
export interface Strength {
  /** The logarithm of the number of guesses. */
  readonly entropyBits: number
  /** For somebody who has a copy of the password in a fast hash, at `guessesPerSecond`; finite. */
  readonly secondsToCrack: number
}

/**
 * Estimates by the first characters, since more of them make nobody's password weaker; `words` are those that an
 * attacker would try first, such as names of the user.
 */
export const estimateStrength = async (
  password: string,
  words: readonly string[] = [],
): Promise<Strength> => {
  const estimator = await loaded()
  const { guesses } = estimator.check(beginningOf(password), [...words])
  const sound = Number.isNaN(guesses) ? 1 : Math.max(1, guesses)
  return {
    entropyBits: Math.log2(sound),
    secondsToCrack: Math.min(sound / guessesPerSecond, longestCrackSeconds),
  }
}

/** Cut before it is brought into normal form, which takes long where it is long. */
const beginningOf = (password: string): string =>
  [...password.slice(0, 4 * strengthCharacters).normalize('NFC')].slice(0, strengthCharacters).join('')

/** Substitutions (`p4$$w0rd`) that are undone: with all that there could be, 100 characters take 300 ms. */
const undoneSubstitutions = 20

let loading: Promise<ZxcvbnFactory> | undefined

/** The dictionaries are 1.6 MB: they are loaded with the first password that is estimated. */
const loaded = (): Promise<ZxcvbnFactory> => {
  loading ??= load()
  return loading
}

const load = async (): Promise<ZxcvbnFactory> => {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    l33tMaxSubstitutions: undoneSubstitutions,
    // Cut to length above, by characters.
    maxLength: 2 * strengthCharacters,
  })
}
