import { crc32, deflateSync } from 'node:zlib'

/* The smallest images of each type with a given size. Only PNG images have pixels. */

/** One bit per pixel, in shades of gray. */
export const makePng = (width = 16, height = 16): Buffer =>
  buildPng({ width, height, bits: 1, type: 0 }, Buffer.alloc((Math.ceil(width / 8) + 1) * height))

/** Black bars with nothing between them, as a logo that cannot be seen on dark pages. */
export const makeBlackBars = (width = 16, height = 16): Buffer => {
  const row = Array.from({ length: width }, (_, at) => [0, at % 16 < 8 ? 255 : 0]).flat()
  const rows = Array.from({ length: height }, () => [0, ...row]).flat()
  return buildPng({ width, height, bits: 8, type: 4 }, Buffer.from(rows))
}

interface PngHeader {
  readonly width: number
  readonly height: number
  readonly bits: number
  /** 0 for gray, 4 for gray with transparency. */
  readonly type: number
}

const buildPng = ({ width, height, bits, type }: PngHeader, rows: Buffer): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(bits, 8)
  header.writeUInt8(type, 9)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    makePngChunk('IHDR', header),
    makePngChunk('IDAT', deflateSync(rows)),
    makePngChunk('IEND', Buffer.alloc(0)),
  ])
}

const makePngChunk = (name: string, data: Buffer): Buffer => {
  const content = Buffer.concat([Buffer.from(name, 'latin1'), data])
  return Buffer.concat([toUint32(data.length), content, toUint32(crc32(content))])
}

const toUint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export const makeGif = (width = 16, height = 16): Buffer => {
  const screen = Buffer.alloc(7)
  screen.writeUInt16LE(width, 0)
  screen.writeUInt16LE(height, 2)
  return Buffer.concat([Buffer.from('GIF89a'), screen, Buffer.from(';')])
}

/** With a table, filling bytes and a restart marker before the frame, and a progressive frame. */
export const makeJpeg = (width = 16, height = 16): Buffer => {
  const frame = Buffer.from([0xff, 0xc2, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const table = [0xff, 0xc4, 0, 4, 0xff, 0xc0]
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, ...table, 0xff, 0xd0, 0xff, 0xff]),
    frame,
    Buffer.from([0xff, 0xda, 0, 2, 0xff, 0xd9]),
  ])
}

export const makeWebp = (kind: 'VP8 ' | 'VP8L' | 'VP8X', width = 16, height = 16): Buffer => {
  const chunk = Buffer.alloc(14)
  if (kind === 'VP8 ') {
    chunk.writeUIntBE(0x9d012a, 3, 3)
    chunk.writeUInt16LE(width, 6)
    chunk.writeUInt16LE(height, 8)
  } else if (kind === 'VP8L') {
    chunk.writeUInt8(0x2f, 0)
    chunk.writeUInt32LE((width - 1) | ((height - 1) << 14), 1)
  } else {
    chunk.writeUIntLE(width - 1, 4, 3)
    chunk.writeUIntLE(height - 1, 7, 3)
  }
  const size = Buffer.alloc(4)
  size.writeUInt32LE(chunk.length)
  const body = Buffer.concat([Buffer.from(`WEBP${kind}`), size, chunk])
  const total = Buffer.alloc(4)
  total.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from('RIFF'), total, body])
}
