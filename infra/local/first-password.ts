import { randomInt } from 'node:crypto'

// Without letters and digits that are easily mistaken, and with nothing that a shell or JSON reads as its own.
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const length = 24

/** A password of 24 characters, each drawn evenly from 56 (139 bits). */
export const makePassword = (): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
