/*
 * The CRC-32 of zip and PNG (ISO 3309). Node has one in `node:zlib`, but loading that module adds about a millisecond
 * to each cold start.
 */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** Computes the checksum of an ASCII text. */
export const computeCrc32 = (text: string): number => {
  let value = 0xffffffff
  for (let at = 0; at < text.length; at++)
    value = (value >>> 8) ^ (table[(value ^ text.charCodeAt(at)) & 0xff] ?? 0)
  return (value ^ 0xffffffff) >>> 0
}
