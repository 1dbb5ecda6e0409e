import { foldText } from '../util/fold-text.ts'
import { toOneLine } from './one-line.ts'

/** The user on whose behalf an email is sent. */
export interface LinkSender {
  /** The display name, which the sender chose. */
  readonly name: string
  /** The email address or the username, which the sender cannot change. */
  readonly account: string
}

/**
 * The name of a sender in an email. A sender whose display name contains the name of the product appears under their
 * account. Otherwise their email could look like one of the product.
 */
export const getSenderName = ({ name, account }: LinkSender, productName: string): string =>
  toOneLine(containsName(name, productName) ? account : name, 60)

/** A shorter name of a product can be a part of an ordinary name, so it has to be a word. */
const distinctLength = 5

/** Spaces, punctuation, accents and case make no difference to a reader in a hurry. */
const containsName = (text: string, name: string): boolean => {
  const wanted = toWords(name).join('')
  const words = toWords(text)
  if (wanted.length < distinctLength) return words.includes(wanted) || words.join('') === wanted
  return words.join('').includes(wanted)
}

const toWords = (text: string): readonly string[] =>
  foldText(text)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .match(/[\p{L}\p{N}]+/gu) ?? []
