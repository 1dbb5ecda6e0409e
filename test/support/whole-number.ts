import { InvalidArgumentError } from 'commander'

/** Reads an option of a tool that is a whole number. */
export const parseWholeNumber = (text: string): number => {
  const number = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number))
    throw new InvalidArgumentError('It must be a whole number.')
  return number
}
