/** Who our mails come from. */
export interface MailSender {
  readonly address: string
  /** Address and name as a header holds them (RFC 5322 3.4, RFC 2047), which is all that SES takes. */
  readonly source: string
}

/** Reads `name@example.com` or `Name <name@example.com>`; undefined for anything else. */
export const readMailSender = (text: string): MailSender | undefined => {
  const [, name = '', inBrackets, bare] = /^(?:([^<>\p{Cc}]*)<([^<>]*)>|([^<>]*))$/u.exec(text.trim()) ?? []
  const address = inBrackets ?? bare ?? ''
  if (!/^[!#$%&'*+/=?^`{|}~\w.-]+@[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(address)) return undefined
  const phrase = phraseOf(unquoted(name.trim()))
  return { address, source: phrase === '' ? address : `${phrase} <${address}>` }
}

const unquoted = (name: string): string =>
  /^".*"$/.test(name) ? name.slice(1, -1).replaceAll(/\\(.)/g, '$1') : name

const phraseOf = (name: string): string => {
  if (/^[\w !#$%&'*+/^`{|}~-]*$/.test(name)) return name
  if (/^[\x20-\x7e]*$/.test(name) && !name.includes('=?')) return `"${name.replaceAll(/["\\]/g, '\\$&')}"`
  return encodedWords(name)
}

/** Bytes of a text that fit into an encoded word of 75 characters, in Base64. */
const wordBytes = 45

const encodedWords = (name: string): string => {
  const words: string[] = ['']
  for (const character of name) {
    const last = words.at(-1) ?? ''
    if (Buffer.byteLength(last + character) > wordBytes) words.push(character)
    else words[words.length - 1] = last + character
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')
}
