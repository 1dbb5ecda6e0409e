import type { XmlElement } from '../xml/element.ts'
import { MetadataError } from './metadata-error.ts'

const dateTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/**
 * Rejects metadata after the `validUntil` of any element of the path (SAML Metadata 2.3.1). Otherwise an attacker could
 * replay old metadata to bring back a compromised key.
 *
 * @throws MetadataError
 */
export const requireUnexpired = (path: readonly XmlElement[], nowMs: number): void => {
  for (const { attributes } of path) {
    const text = attributes.get('validUntil')
    if (text === undefined) continue
    const end = dateTime.test(text) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(end)) throw new MetadataError('leads to metadata whose validUntil is not a valid time')
    if (end <= nowMs) throw new MetadataError('leads to metadata that has expired: its validUntil has passed')
  }
}
