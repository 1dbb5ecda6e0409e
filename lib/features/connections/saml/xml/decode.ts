import { XmlError } from './xml-error.ts'

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/**
 * Decodes XML in UTF-8 or UTF-16, as its first bytes and its declaration define it (XML 1.0 F.1). Normalizes line ends
 * (2.11).
 *
 * @throws XmlError for other encodings, for invalid bytes, and if the byte order mark contradicts the declaration.
 */
export const decodeXml = (bytes: Uint8Array): string => {
  const encoding = detectEncoding(bytes)
  const text = decodeText(bytes, encoding)
  const declared = /^<\?xml[^>]{0,100}?\sencoding\s{0,9}=\s{0,9}["']([\w.-]{1,40})["']/.exec(text)?.[1]
  if (declared && !isCompatible(declared.toLowerCase(), encoding))
    throw new XmlError(
      /^(utf-?(8|16(le|be)?)|us-ascii)$/i.test(declared)
        ? 'declares another encoding than it uses'
        : 'must be in UTF-8 or UTF-16',
    )
  return text.replaceAll(/\r\n?/g, '\n')
}

const detectEncoding = (bytes: Uint8Array): Encoding => {
  const first = Buffer.from(bytes.subarray(0, 4)).toString('hex')
  if (/^(fffe0000|0000feff|0000003c|3c000000)/.test(first))
    throw new XmlError('must be in UTF-8 or UTF-16, not UTF-32')
  if (/^(feff|003c)/.test(first)) return 'utf-16be'
  return /^(fffe|3c00)/.test(first) ? 'utf-16le' : 'utf-8'
}

const decodeText = (bytes: Uint8Array, encoding: Encoding): string => {
  try {
    // The decoder removes a byte order mark.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new XmlError(
      `contains bytes that are not ${encoding.slice(0, 6).replace(/-1$/, '-16').toUpperCase()}`,
    )
  }
}

const isCompatible = (declared: string, encoding: Encoding): boolean =>
  encoding === 'utf-8'
    ? declared === 'utf-8' || declared === 'us-ascii'
    : declared === 'utf-16' || declared === encoding
