import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** The body of an answer that isn't taken; `part` says what was wrong with it. */
export class BodyRefused extends Error {
  readonly part: 'size' | 'encoding'

  constructor(part: 'size' | 'encoding') {
    super(part)
    this.name = 'BodyRefused'
    this.part = part
  }
}

const decompressors: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** The encodings that `readLimited` knows, for `Accept-Encoding`. */
export const knownEncodings = 'gzip, deflate, br'

/**
 * Reads a body, decompressed, and gives up as soon as there is more than `limitBytes` of it on either side of that: a
 * small answer that grows is held to the same as a large one.
 *
 * @throws BodyRefused when it is too large or can't be decompressed; whatever broke the stream off.
 */
export const readLimited = (source: Readable, encoding: string, limitBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const name = encoding.trim().toLowerCase()
    const open = decompressors[name]
    if (!open && name !== '' && name !== 'identity') throw new BodyRefused('encoding')
    const unpacked: Readable = open ? source.pipe(open()) : source
    const fail = (error: Error) => {
      reject(error)
      source.destroy()
      unpacked.destroy()
    }
    const chunks: Buffer[] = []
    const counter = (onChunk: (chunk: Buffer) => void) => {
      let bytes = 0
      return (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > limitBytes) fail(new BodyRefused('size'))
        else onChunk(chunk)
      }
    }
    unpacked.on(
      'data',
      counter((chunk) => chunks.push(chunk)),
    )
    unpacked.on('end', () => resolve(Buffer.concat(chunks)))
    unpacked.on('close', () => reject(new Error('the answer broke off')))
    source.on('error', fail)
    if (unpacked === source) return
    source.on(
      'data',
      counter(() => {}),
    )
    // The end of a stream that broke off is none.
    source.on('close', () => {
      if (!source.readableEnded) fail(new Error('the answer broke off'))
    })
    unpacked.on('error', () => fail(new BodyRefused('encoding')))
  })
