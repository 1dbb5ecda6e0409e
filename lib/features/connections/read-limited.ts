import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** An HTTP body that is too large or cannot be decompressed. */
export class BodyError extends Error {
  readonly part: 'size' | 'encoding'

  constructor(part: 'size' | 'encoding') {
    super(part)
    this.name = 'BodyError'
    this.part = part
  }
}

const decompressors = new Map<string, () => NodeJS.ReadWriteStream & Readable>(
  Object.entries({
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  }),
)

/** The encodings that `readLimited` supports, for `Accept-Encoding`. */
export const knownEncodings = 'gzip, deflate, br'

/**
 * Reads and decompresses a body. Stops as soon as the compressed or the decompressed size exceeds `limitBytes`, so a
 * decompression bomb costs no more than a large body.
 *
 * @throws BodyError if the body is too large or cannot be decompressed. Errors of the stream are thrown unchanged.
 */
export const readLimited = (source: Readable, encoding: string, limitBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const name = encoding.trim().toLowerCase()
    const createDecompressor = decompressors.get(name)
    if (!createDecompressor && name !== '' && name !== 'identity') throw new BodyError('encoding')
    const body: Readable = createDecompressor ? source.pipe(createDecompressor()) : source
    const fail = (error: Error) => {
      reject(error)
      source.destroy()
      body.destroy()
    }
    const chunks: Buffer[] = []
    const countBytes = (onChunk: (chunk: Buffer) => void) => {
      let bytes = 0
      return (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > limitBytes) fail(new BodyError('size'))
        else onChunk(chunk)
      }
    }
    body.on(
      'data',
      countBytes((chunk) => chunks.push(chunk)),
    )
    body.on('end', () => resolve(Buffer.concat(chunks)))
    body.on('close', () => reject(new Error('the response ended early')))
    source.on('error', fail)
    if (body === source) return
    source.on(
      'data',
      countBytes(() => {}),
    )
    // A connection that closes early also ends the decompressor, so the source is checked.
    source.on('close', () => {
      if (!source.readableEnded) fail(new Error('the response ended early'))
    })
    body.on('error', () => fail(new BodyError('encoding')))
  })
