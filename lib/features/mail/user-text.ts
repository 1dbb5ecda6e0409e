import { foldText } from '../../kernel/util/fold-text.ts'

declare const ofService: unique symbol

/**
 * Text of the service: its messages, its configuration, and what it formats from numbers, times and closed lists. Emails consist of
 * it, so a text that somebody else wrote does not compile until it is quoted.
 */
export type ServiceText = string & { readonly [ofService]: true }

/** States that a text is one of the service. Call it only where the text is made, never on what is stored about users or organizations. */
export const asServiceText = (text: string): ServiceText => text as ServiceText

/** Text that somebody else wrote: a name at a provider, of a user, an account or an organization. Messages show it in quotation marks. */
export interface ForeignText {
  readonly quotedLine: string
}

/** Makes text that somebody else wrote a value of a message: one line, cut, and without quotation marks of its own. */
export const quote = (text: string, maxCharacters = accountCharacters): ForeignText => ({
  quotedLine: toQuotedLine(text, maxCharacters),
})

/** Longer names of accounts and addresses are cut in emails. */
const accountCharacters = 100

/** The user on whose behalf an email is sent. */
export interface LinkSender {
  /** The display name, which the sender chose. */
  readonly name: string
  /** The email address or the username, which the sender cannot change. */
  readonly account: string
  /** The name of the organization that they act for. Its owner chose it. */
  readonly organization?: string
}

/**
 * The name of a sender in an email. A sender whose display name contains the name of the product appears under their
 * account. Otherwise their email could look like one of the product. For the same reason, such an organization is not named.
 */
export const quoteSender = (sender: LinkSender, productName: string): ForeignText =>
  quote(getSenderName(sender, productName), 2 * nameCharacters + ' ()'.length)

/** The same, for pages. */
export const getSenderName = ({ name, account, organization }: LinkSender, productName: string): string => {
  const person = toOneLine(containsName(name, productName) ? account : name, nameCharacters)
  return organization === undefined || containsName(organization, productName)
    ? person
    : `${person} (${toOneLine(organization, nameCharacters)})`
}

const nameCharacters = 60

/** A shorter name of a product can be a part of an ordinary name, so it has to be a word. */
const distinctLength = 5

/** Whether a text contains a name. Spaces, punctuation, accents and case make no difference to a reader in a hurry. */
export const containsName = (text: string, name: string): boolean => {
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

/** Characters that are invisible or change the direction of the text after them. */
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const whiteSpace = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu

/**
 * Makes text from a user safe inside a line of the service. It removes line breaks and characters that change the
 * direction of the surrounding text. It also breaks up `=?`, because email programs would decode an encoded word (RFC
 * 2047 2) into such characters. Longer texts are cut at `maxCharacters`.
 */
export const toOneLine = (text: string, maxCharacters: number): string => {
  const line = text
    .toWellFormed()
    .replaceAll(invisible, '')
    .replaceAll(whiteSpace, ' ')
    .replaceAll('=?', '= ?')
  const characters = [...line.trim()]
  if (characters.length <= maxCharacters) return characters.join('')
  const shortened = characters.slice(0, maxCharacters - 1).join('')
  return `${shortened.trimEnd()}…`
}

/** Like `toOneLine`, for text between the quotation marks of any language, so it must not contain any of them. */
const toQuotedLine = (text: string, maxCharacters: number): string =>
  toOneLine(text, maxCharacters).replaceAll(/[“”„‟«»「」『』]/g, '"')
