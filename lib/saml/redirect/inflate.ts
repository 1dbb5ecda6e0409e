import { inflateRawSync } from 'node:zlib'
import { redirectMessageBytes, redirectMessageLength } from '../../limits/saml-limits.ts'
import { decodeXml } from '../xml/decode.ts'
import type { XmlElement } from '../xml/element.ts'
import { readXml } from '../xml/read.ts'
import { XmlError } from '../xml/xml-error.ts'
import { decodeBase64 } from './base64.ts'
import type { SignedQuery } from './query.ts'
import { RedirectError } from './redirect-error.ts'

/** Reads the message of a query whose signature was verified. Returns its root. @throws RedirectError */
export const readMessage = ({ kind, message }: SignedQuery): XmlElement => {
  if (message.length > redirectMessageLength) throw new RedirectError(kind, 'is too long')
  const deflated = decodeBase64(message)
  if (!deflated) throw new RedirectError(kind, 'is not base64')
  try {
    return readXml(decodeXml(inflate(deflated)))
  } catch (error) {
    throw error instanceof XmlError ? new RedirectError(kind, error.message) : error
  }
}

/** Stops as soon as the output exceeds the size limit of a message. */
const inflate = (bytes: Buffer): Buffer => {
  try {
    return inflateRawSync(bytes, { maxOutputLength: redirectMessageBytes })
  } catch {
    throw new XmlError('is not deflated, or is too long after it is inflated')
  }
}
