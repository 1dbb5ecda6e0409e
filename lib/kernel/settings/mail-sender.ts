/** The sender of the emails of this service. */
export interface MailSender {
  readonly address: string
  /** Name and address in the form of an email header (RFC 5322 3.4, RFC 2047), which SES requires. */
  readonly source: string
}

/** Parses `name@example.com` or `Name <name@example.com>`. Returns undefined for anything else. */
export const readMailSender = (text: string): MailSender | undefined => {
  const [, name = '', inBrackets, bare] = /^(?:([^<>\p{Cc}]*)<([^<>]*)>|([^<>]*))$/u.exec(text.trim()) ?? []
  const address = inBrackets ?? bare ?? ''
  if (!/^[!#$%&'*+/=?^`{|}~\w.-]+@[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(address)) return undefined
  return { address, source: toMailSource(address, unquote(name.trim())) }
}

/** An address with a name, as a header has them. */
export const toMailSource = (address: string, name: string): string => {
  const phrase = encodePhrase(name)
  return phrase === '' ? address : `${phrase} <${address}>`
}

const unquote = (name: string): string =>
  /^".*"$/.test(name) ? name.slice(1, -1).replaceAll(/\\(.)/g, '$1') : name

const encodePhrase = (name: string): string => {
  if (/^[\w !#$%&'*+/^`{|}~-]*$/.test(name)) return name
  if (/^[\x20-\x7e]*$/.test(name) && !name.includes('=?')) return `"${name.replaceAll(/["\\]/g, '\\$&')}"`
  return toEncodedWords(name)
}

/** An encoded word has at most 75 characters (RFC 2047 2). In Base64, this number of bytes fits into one. */
const bytesPerWord = 45

const toEncodedWords = (name: string): string => {
  const words: string[] = ['']
  for (const character of name) {
    const last = words.at(-1) ?? ''
    if (Buffer.byteLength(last + character) > bytesPerWord) words.push(character)
    else words[words.length - 1] = last + character
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')
}
