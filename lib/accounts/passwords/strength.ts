import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { guessesPerSecond, longestCrackSeconds, strengthCharacters } from '../../core/password-limits.ts'

/** How hard a password is to guess for an attacker who knows common patterns, as estimated by zxcvbn. */
export interface Strength {
  /** The logarithm of the number of guesses. */
  readonly entropyBits: number
  /** The time for an attacker who has a fast hash of the password, at `guessesPerSecond`. Always finite. */
  readonly secondsToCrack: number
}

/**
 * Estimates the strength of the first `strengthCharacters`. Further characters never make a password weaker. `words` are
 * those that an attacker would try first, such as the names of the user.
 */
export const estimateStrength = async (
  password: string,
  words: readonly string[] = [],
): Promise<Strength> => {
  const estimator = await getEstimator()
  const { guesses } = estimator.check(takeStart(password), [...words])
  const finiteGuesses = Number.isNaN(guesses) ? 1 : Math.max(1, guesses)
  return {
    entropyBits: Math.log2(finiteGuesses),
    secondsToCrack: Math.min(finiteGuesses / guessesPerSecond, longestCrackSeconds),
  }
}

/** Cuts the text before normalizing it, because normalizing a long text takes a long time. */
const takeStart = (password: string): string =>
  [...password.slice(0, 4 * strengthCharacters).normalize('NFC')].slice(0, strengthCharacters).join('')

/** The maximum number of undone substitutions (`p4$$w0rd`). Without a limit, 100 characters take 300 ms. */
const maxSubstitutions = 20

let loading: Promise<ZxcvbnFactory> | undefined

/** The dictionaries have 1.6 MB, so they are loaded on first use. */
const getEstimator = (): Promise<ZxcvbnFactory> => {
  loading ??= loadEstimator()
  return loading
}

const loadEstimator = async (): Promise<ZxcvbnFactory> => {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    l33tMaxSubstitutions: maxSubstitutions,
    // `takeStart` cuts by characters.
    maxLength: 2 * strengthCharacters,
  })
}
