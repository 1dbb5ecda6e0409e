import { withoutPadding } from '../../contract/text-rules.ts'
import { strengthCharacters } from '../../limits/password-limits.ts'
import { estimateStrength } from '../passwords/strength.ts'

/**
 * Estimates the entropy of a custom API token in bits. zxcvbn finds words, names, dates, sequences and repetitions, and
 * counts ten guesses for each character that it cannot explain. In a value without such patterns, each character counts
 * with the size of its alphabet instead. Padding counts for nothing.
 */
export const estimateTokenBits = async (token: string): Promise<number> => {
  const value = withoutPadding(token)
  const length = Math.min(value.length, strengthCharacters)
  const { entropyBits } = await estimateStrength(value)
  const leastShare = /^[\da-f]+$/i.test(value) ? leastRandomShare.hexadecimal : leastRandomShare.other
  const isRandom = entropyBits >= leastShare * length * Math.log2(10)
  return isRandom ? countBitsPerCharacter(value) * length : entropyBits
}

/**
 * The share of a random value that zxcvbn cannot explain. Random text also contains a short word or date now and then. In
 * measurements this cost hexadecimal text up to an eighth, because it has many digits, and other text a fifteenth.
 */
const leastRandomShare = { hexadecimal: 0.8, other: 0.9 } as const

const alphabets = [
  { pattern: /^\d+$/, size: 10 },
  { pattern: /^[\da-f]+$/i, size: 16 },
  { pattern: /^[a-z]+$|^[A-Z]+$/, size: 26 },
  { pattern: /^[\da-z]+$|^[\dA-Z]+$/, size: 36 },
]

/** The bits of one character of the smallest common alphabet that contains the value. */
const countBitsPerCharacter = (value: string): number =>
  Math.log2(alphabets.find(({ pattern }) => pattern.test(value))?.size ?? 64)
