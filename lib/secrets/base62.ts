const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Formats a non-negative integer in base 62, with leading zeros up to `length` digits. */
export const toBase62 = (number: bigint, length: number): string => {
  let text = ''
  for (let rest = number; rest > 0n; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text.padStart(length, '0')
}

/** Parses the output of `toBase62`. The text must consist of base-62 digits. */
export const fromBase62 = (text: string): bigint => {
  let number = 0n
  for (const digit of text) number = number * 62n + BigInt(digits.indexOf(digit))
  return number
}
