import type { ImageSize } from './image-size.ts'
import { readJpegSize } from './read-jpeg-size.ts'
import { readWebpSize } from './read-webp-size.ts'

export interface Image extends ImageSize {
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'
}

/**
 * Reads the type and the size of an image from its own bytes. Undefined if it is none of these types, or ends before its
 * size. The pixels are not decoded.
 */
export const readImage = (bytes: Buffer): Image | undefined => {
  for (const { contentType, isType, readSize } of types) {
    const size = isType(bytes) ? readSize(bytes) : undefined
    if (size) return { contentType, ...size }
  }
  return undefined
}

interface ImageType {
  readonly contentType: Image['contentType']
  readonly isType: (bytes: Buffer) => boolean
  readonly readSize: (bytes: Buffer) => ImageSize | undefined
}

const hasAt = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.toString('latin1', at, at + text.length) === text

const types: readonly ImageType[] = [
  {
    contentType: 'image/png',
    isType: (bytes) => hasAt(bytes, 0, '\x89PNG\r\n\x1a\n'),
    // The first chunk is always the header: its length and name, then the size (PNG specification 11.2.1).
    readSize: (bytes) =>
      bytes.length >= 33 && hasAt(bytes, 8, '\0\0\0\rIHDR')
        ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
        : undefined,
  },
  {
    contentType: 'image/gif',
    isType: (bytes) => hasAt(bytes, 0, 'GIF87a') || hasAt(bytes, 0, 'GIF89a'),
    // The size of the screen follows the signature (GIF89a specification 18).
    readSize: (bytes) =>
      bytes.length >= 13 ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) } : undefined,
  },
  {
    contentType: 'image/jpeg',
    isType: (bytes) => hasAt(bytes, 0, '\xff\xd8\xff'),
    readSize: readJpegSize,
  },
  {
    contentType: 'image/webp',
    isType: (bytes) => hasAt(bytes, 0, 'RIFF') && hasAt(bytes, 8, 'WEBP'),
    readSize: readWebpSize,
  },
]
