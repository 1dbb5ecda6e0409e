import type { ImageSize } from './image-size.ts'

/** Reads the size of a WebP image from its first chunk (RFC 9649 2.5 to 2.7). Undefined if it is cut off or damaged. */
export const readWebpSize = (bytes: Buffer): ImageSize | undefined => {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return undefined
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return bytes.readUIntBE(23, 3) === 0x9d012a
        ? { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
        : undefined
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return bytes.readUInt8(20) === 0x2f
        ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
        : undefined
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}
