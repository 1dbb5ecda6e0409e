/*
 * CRC-32 as zip and PNG have it (ISO 3309). Node's own is in `node:zlib`, whose loading alone costs each cold start
 * about a millisecond.
 */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** The checksum of a text of ASCII characters. */
export const crc32 = (text: string): number => {
  let value = 0xffffffff
  for (let at = 0; at < text.length; at++)
    value = (value >>> 8) ^ (table[(value ^ text.charCodeAt(at)) & 0xff] ?? 0)
  return (value ^ 0xffffffff) >>> 0
}
