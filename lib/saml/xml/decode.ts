import { XmlRefused } from './faults.ts'

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/**
 * The text of XML bytes, in UTF-8 or UTF-16 as their first bytes and their declaration say (XML 1.0 F.1), with line
 * ends as a processor of XML has them (2.11).
 *
 * @throws XmlRefused for another encoding, for bytes that are none in it, and where mark and declaration disagree.
 */
export const decodeXml = (bytes: Uint8Array): string => {
  const encoding = encodingOf(bytes)
  const text = decoded(bytes, encoding)
  const declared = /^<\?xml[^>]{0,100}?\sencoding\s{0,9}=\s{0,9}["']([\w.-]{1,40})["']/.exec(text)?.[1]
  if (declared && !fits(declared.toLowerCase(), encoding))
    throw new XmlRefused(
      /^(utf-?(8|16(le|be)?)|us-ascii)$/i.test(declared)
        ? 'declares another encoding than its bytes are in'
        : 'must be in UTF-8 or UTF-16',
    )
  return text.replaceAll(/\r\n?/g, '\n')
}

const encodingOf = (bytes: Uint8Array): Encoding => {
  const first = Buffer.from(bytes.subarray(0, 4)).toString('hex')
  if (/^(fffe0000|0000feff|0000003c|3c000000)/.test(first))
    throw new XmlRefused('must be in UTF-8 or UTF-16, not UTF-32')
  if (/^(feff|003c)/.test(first)) return 'utf-16be'
  return /^(fffe|3c00)/.test(first) ? 'utf-16le' : 'utf-8'
}

const decoded = (bytes: Uint8Array, encoding: Encoding): string => {
  try {
    // A byte order mark is taken off.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new XmlRefused(
      `holds bytes that are not ${encoding.slice(0, 6).replace(/-1$/, '-16').toUpperCase()}`,
    )
  }
}

const fits = (declared: string, encoding: Encoding): boolean =>
  encoding === 'utf-8'
    ? declared === 'utf-8' || declared === 'us-ascii'
    : declared === 'utf-16' || declared === encoding
