/** Colors as `0xRRGGBBAA`. A character without a color is transparent. */
export type Palette = Readonly<Record<string, number>>

const headerBytes = 22
const bitmapHeaderBytes = 40

/** Builds a Windows icon (ICO) with one bitmap of 32 bits per pixel from a square drawing, one character per pixel. */
export const buildIcon = (drawing: readonly string[], palette: Palette): Buffer => {
  const size = drawing.length
  // Bitmaps are stored from the bottom to the top.
  const pixels = drawing.toReversed().flatMap((row) => [...row].map((character) => palette[character] ?? 0))
  const colors = Buffer.alloc(4 * pixels.length)
  for (const [at, color] of pixels.entries()) colors.writeUInt32LE(toBgra(color), 4 * at)
  // The mask of older systems has one bit per pixel in rows of 32 bits. Zeros leave transparency to the colors.
  const mask = Buffer.alloc(4 * size * Math.ceil(size / 32))
  return Buffer.concat([buildHeader(size, bitmapHeaderBytes + colors.length + mask.length), colors, mask])
}

/** Converts `0xRRGGBBAA` to the number whose little-endian bytes are blue, green, red, alpha. */
const toBgra = (color: number): number => ((color >>> 8) | (color << 24)) >>> 0

const buildHeader = (size: number, imageBytes: number): Buffer => {
  const header = Buffer.alloc(headerBytes + bitmapHeaderBytes)
  header.writeUInt16LE(1, 2) // The type: an icon.
  header.writeUInt16LE(1, 4) // The number of images.
  header.writeUInt8(size, 6)
  header.writeUInt8(size, 7)
  header.writeUInt16LE(1, 10) // Color planes.
  header.writeUInt16LE(32, 12) // Bits per pixel.
  header.writeUInt32LE(imageBytes, 14)
  header.writeUInt32LE(headerBytes, 18)
  header.writeUInt32LE(bitmapHeaderBytes, 22)
  header.writeInt32LE(size, 26)
  header.writeInt32LE(2 * size, 30) // The height of the colors and the mask.
  header.writeUInt16LE(1, 34)
  header.writeUInt16LE(32, 36)
  return header
}
