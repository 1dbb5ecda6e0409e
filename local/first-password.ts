import { randomInt } from 'node:crypto'

// Excludes characters that look alike or that need escaping in a shell or in JSON.
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const length = 24

/** Generates a password of 24 characters, each chosen uniformly from 56 (139 bits). */
export const generatePassword = (): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
