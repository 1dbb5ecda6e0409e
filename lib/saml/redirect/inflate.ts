import { inflateRawSync } from 'node:zlib'
import { redirectMessageBytes, redirectMessageLength } from '../../core/limits.ts'
import { decodeXml } from '../xml/decode.ts'
import type { XmlElement } from '../xml/element.ts'
import { XmlRefused } from '../xml/faults.ts'
import { readXml } from '../xml/read.ts'
import { decodeBase64 } from './base64.ts'
import { RedirectRefused } from './faults.ts'
import type { SignedQuery } from './query.ts'

/** The root of the message in a query whose signature was verified. @throws RedirectRefused */
export const readMessage = ({ kind, message }: SignedQuery): XmlElement => {
  if (message.length > redirectMessageLength) throw new RedirectRefused(kind, 'is too long')
  const deflated = decodeBase64(message)
  if (!deflated) throw new RedirectRefused(kind, 'is not base64')
  try {
    return readXml(decodeXml(inflated(deflated)))
  } catch (error) {
    throw error instanceof XmlRefused ? new RedirectRefused(kind, error.message) : error
  }
}

/** Gives up as soon as there is more than a message may be. */
const inflated = (bytes: Buffer): Buffer => {
  try {
    return inflateRawSync(bytes, { maxOutputLength: redirectMessageBytes })
  } catch {
    throw new XmlRefused('is not deflated, or too long once inflated')
  }
}
