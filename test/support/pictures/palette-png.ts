import { crc32, deflateSync } from 'node:zlib'

/** Pixels of a picture, four bytes each (red, green, blue, opacity), line by line. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Buffer
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const chunk = (type: string, content: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** Keeps so many bits of each channel that 256 colors suffice. */
const reduce = (color: number, bits: number): number => {
  const mask = (0xff << (8 - bits)) & 0xff
  return color & ((mask << 16) | (mask << 8) | mask)
}

const colorsOf = ({ data }: Picture): Uint32Array => {
  const colors = new Uint32Array(data.length / 4)
  for (let at = 0; at < colors.length; at += 1) colors[at] = data.readUInt32BE(at * 4) >>> 8
  return colors
}

/**
 * Writes an opaque picture as a small PNG with a palette of at most 256 colors (PNG specification, color type 3). Each
 * palette entry is the first color of the picture that it stands for, so that backgrounds stay exact.
 */
export const encodePalettePng = (picture: Picture): Buffer => {
  const colors = colorsOf(picture)
  for (let bits = 8; bits > 0; bits -= 1) {
    const entries = new Map<number, number>()
    const palette: number[] = []
    const lines = Buffer.alloc((picture.width + 1) * picture.height)
    let at = 0
    for (; at < colors.length && palette.length <= 256; at += 1) {
      const color = colors[at] ?? 0
      const reduced = reduce(color, bits)
      let entry = entries.get(reduced)
      if (entry === undefined) {
        entry = palette.push(color) - 1
        entries.set(reduced, entry)
      }
      lines[at + Math.floor(at / picture.width) + 1] = entry
    }
    if (palette.length <= 256) return assemble(picture, palette, lines)
  }
  throw new Error('a picture with one bit per channel has at most 8 colors')
}

const assemble = ({ width, height }: Picture, palette: readonly number[], lines: Buffer): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3], 8)
  const entries = Buffer.from(palette.flatMap((color) => [color >>> 16, (color >>> 8) & 0xff, color & 0xff]))
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', entries),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
