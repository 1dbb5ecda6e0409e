import { strengthCharacters } from '../../core/limits.ts'
import { estimateStrength } from '../passwords/strength.ts'

/**
 * How many bits a chosen value is worth. zxcvbn finds words, names, dates, runs and repetitions, and takes ten guesses
 * for each character that it can't explain; of a value that it finds next to nothing in, each character is worth what
 * its alphabet gives.
 */
export const estimateTokenBits = async (value: string): Promise<number> => {
  const length = Math.min(value.length, strengthCharacters)
  const { entropyBits } = await estimateStrength(value)
  // In random text, too, there is the odd short word or date; measured, it never costs more than a thirtieth.
  const isRandom = entropyBits >= 0.95 * length * Math.log2(10)
  return isRandom ? alphabetBits(value) * length : entropyBits
}

const alphabets = [
  { pattern: /^\d+$/, size: 10 },
  { pattern: /^[\da-f]+$/i, size: 16 },
  { pattern: /^[a-z]+$|^[A-Z]+$/, size: 26 },
  { pattern: /^[\da-z]+$|^[\dA-Z]+$/, size: 36 },
]

/** What one character of the smallest usual alphabet that holds the value is worth, in bits. */
const alphabetBits = (value: string): number =>
  Math.log2(alphabets.find(({ pattern }) => pattern.test(value))?.size ?? 64)
