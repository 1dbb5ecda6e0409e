import type { ImageSize } from './image-size.ts'

/** Markers without a segment: those of restarts, and the one for temporary use (ITU-T T.81 table B.1). */
const isAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
/** Markers of frames, which contain the size. The three others in this range define tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Reads the size of a JPEG image from its first frame. Undefined if the image data begins or ends before. */
export const readJpegSize = (bytes: Buffer): ImageSize | undefined => {
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
