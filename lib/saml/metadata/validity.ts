import type { XmlElement } from '../xml/element.ts'
import { createMetadataError } from './faults.ts'

const time =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/**
 * Refuses metadata past the end that an element above sets (SAML Metadata 2.3.1): somebody may have kept it to bring
 * back a key that is known to be lost.
 *
 * @throws AppError `invalid_request`
 */
export const requireValid = (path: readonly XmlElement[], nowMs: number): void => {
  for (const { attributes } of path) {
    const text = attributes.get('validUntil')
    if (text === undefined) continue
    const end = time.test(text) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(end)) throw createMetadataError('leads to metadata whose validUntil is no time')
    if (end <= nowMs) throw createMetadataError('leads to metadata that has expired: its validUntil is over')
  }
}
