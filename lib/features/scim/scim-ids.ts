import { randomBytes } from 'node:crypto'

/**
 * A new ID of a resource, in the form of a UUID of version 7 (RFC 9562): the order of IDs is that of their creation, so that a new resource
 * moves no page of a list.
 */
export const mintScimId = (nowMs: number): string => {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(nowMs, 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Whether a text has the form of an ID. Nothing has any other. */
export const isScimId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
