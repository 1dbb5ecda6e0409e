import { createHash } from 'node:crypto'
import { type AppError, invalidRequest } from '../../kernel/errors/errors.ts'
import { logoBytes, logoPixels } from '../../kernel/limits/limits.ts'
import type { Logo } from './brand.models.ts'
import type { LogoUpload } from './models.ts'
import type { LogoRecord } from './records.ts'

/** An uploaded logo: what a branding has of it, and what is stored. */
export interface ReadLogo {
  readonly logo: Logo
  readonly record: LogoRecord
}

/**
 * Reads an uploaded logo. Its own bytes decide about its type, and the stated type must be the same. With an `owner`, the same image of
 * another one has another hash, so that each can delete theirs.
 *
 * @throws AppError `invalid_request` if it is not an image of an accepted type and size
 */
export const readLogoUpload = ({ content_type, data }: Omit<LogoUpload, 'kind'>, owner = ''): ReadLogo => {
  const bytes = Buffer.from(data, 'base64')
  // `Buffer` skips what is not base64.
  if (bytes.toString('base64') !== data)
    throw refuse('data', 'must be base64 (RFC 4648 section 4), with padding')
  if (bytes.length > logoBytes) throw refuse('data', `must be base64 of at most ${logoBytes / 1024} KiB`)
  const statedType = content_type.split(';')[0]?.trim().toLowerCase()
  if (statedType?.startsWith('image/svg') || isSvg(bytes))
    throw refuse(
      'content_type',
      'must not be SVG, which email programs do not show and which can contain scripts. Upload a PNG, JPEG, WebP or GIF image',
    )
  const image = readImage(bytes)
  if (!image) throw refuse('data', 'must be a PNG, JPEG, WebP or GIF image')
  if (image.contentType !== statedType)
    throw refuse('content_type', `does not match the data, which is ${image.contentType}`)
  requireSize(image)
  return { logo: { hash: hashImage(bytes, owner), ...image }, record: { ...image, data } }
}

const hashImage = (bytes: Buffer, owner = ''): string =>
  createHash('sha256').update(owner).update(bytes).digest('hex')

/** What an upload would become, for a comparison. What is no accepted image has no size. */
export const describeUpload = ({
  content_type: contentType,
  data,
}: Omit<LogoUpload, 'kind'>): LogoSummary => {
  const bytes = Buffer.from(data, 'base64')
  return summarizeLogo({ hash: hashImage(bytes), ...(readImage(bytes) ?? { contentType }) })
}

/** What identifies an image to people. */
interface LogoSummary {
  readonly content_type: string
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly sha256: string
}

export const summarizeLogo = ({
  hash: sha256,
  contentType,
  width,
  height,
}: Pick<Logo, 'hash' | 'contentType'> & Partial<Logo>): LogoSummary => ({
  content_type: contentType,
  width,
  height,
  sha256,
})

const isSvg = (bytes: Buffer): boolean => /^[\s\ufeff]*<[\s\S]*svg\b/i.test(bytes.toString('utf8', 0, 1000))

const requireSize = ({ width, height }: Image): void => {
  const { min, max } = logoPixels
  if (Math.min(width, height) < min || Math.max(width, height) > max)
    throw refuse(
      'data',
      `has ${width} × ${height} pixels. Both numbers must be from ${min} to ${max.toLocaleString('en-US')}`,
    )
}

const refuse = (field: keyof LogoUpload, message: string): AppError => invalidRequest([{ field, message }])

/** Markers without a segment: those of restarts, and the one for temporary use (ITU-T T.81 table B.1). */
const isAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
/** Markers of frames, which contain the size. The three others in this range define tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Reads the size of a JPEG image from its first frame. Undefined if the image data begins or ends before. */
const readJpegSize = (bytes: Buffer): ImageSize | undefined => {
  let at = 2
  while (at + 9 <= bytes.length) {
    const marker = bytes.readUInt8(at + 1)
    if (bytes.readUInt8(at) !== 0xff) return undefined
    // Any number of filling bytes can stand before a marker.
    if (marker === 0xff) at += 1
    else if (isAlone(marker)) at += 2
    else if (isFrame(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    else if (marker === 0xda || marker === 0xd9) return undefined
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
  return undefined
}

/** Reads the size of a WebP image from its first chunk (RFC 9649 2.5 to 2.7). Undefined if it is cut off or damaged. */
const readWebpSize = (bytes: Buffer): ImageSize | undefined => {
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

/** The size of an image in pixels. */
interface ImageSize {
  readonly width: number
  readonly height: number
}
