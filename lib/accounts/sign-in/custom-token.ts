import { strengthCharacters } from '../../core/limits.ts'
import { estimateStrength } from '../passwords/strength.ts'

/**
 * Estimates the entropy of a custom API token in bits. zxcvbn finds words, names, dates, sequences and repetitions, and
 * counts ten guesses for each character that it cannot explain. In a value without such patterns, each character counts
 * with the size of its alphabet instead.
 */
export const estimateTokenBits = async (value: string): Promise<number> => {
  const length = Math.min(value.length, strengthCharacters)
  const { entropyBits } = await estimateStrength(value)
  // Random text also contains a short word or date now and then. In measurements this cost at most a thirtieth.
  const isRandom = entropyBits >= 0.95 * length * Math.log2(10)
  return isRandom ? countBitsPerCharacter(value) * length : entropyBits
}

const alphabets = [
  { pattern: /^\d+$/, size: 10 },
  { pattern: /^[\da-f]+$/i, size: 16 },
  { pattern: /^[a-z]+$|^[A-Z]+$/, size: 26 },
  { pattern: /^[\da-z]+$|^[\dA-Z]+$/, size: 36 },
]

/** The bits of one character of the smallest common alphabet that contains the value. */
const countBitsPerCharacter = (value: string): number =>
  Math.log2(alphabets.find(({ pattern }) => pattern.test(value))?.size ?? 64)
