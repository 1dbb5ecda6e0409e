import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, link, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type FileFormat, findFormat, isUtf16 } from '../lib/features/user-files/import-file.ts'
import { CommandFailure, codeOf } from '../local/command-failure.ts'
import { openFile } from '../local/open-file.ts'

/** An open import file. It can be read once. */
export interface Input {
  readonly format: FileFormat
  readonly sizeBytes: number
  /** Device and inode of the file, so that another path to the same file is recognized. */
  readonly id: string
  readonly chunks: () => AsyncIterable<Buffer>
  /** The number of bytes read so far. */
  readonly readBytes: () => number
  readonly close: () => Promise<void>
}

/**
 * Opens a file in the given format, or in that of its extension. `isDocument` is for a file that is one JSON value.
 *
 * @throws CommandFailure when the file does not exist, cannot be read, or has an unknown format.
 */
export const openInput = async (
  path: string,
  given?: FileFormat,
  { isDocument = false }: { readonly isDocument?: boolean } = {},
): Promise<Input> => {
  const name = basename(path)
  if (packed.test(name)) throw createPackedFailure(name)
  const format = given ?? findFormat(name)
  if (!format) throw new CommandFailure(`${name} must end in .jsonl, .ndjson, or .csv.`)
  const file = await openFile(path, name)
  try {
    const { size, dev, ino } = await file.stat()
    const start = await readStart(file)
    requireText(start, name)
    if (format === 'json-lines' && !isDocument) requireLines(start, name)
    return createInput(file, format, size, `${dev}:${ino}`)
  } catch (error) {
    await file.close()
    throw error
  }
}

const createInput = (file: FileHandle, format: FileFormat, sizeBytes: number, id: string): Input => {
  let read = 0
  return {
    format,
    sizeBytes,
    id,
    chunks: async function* () {
      for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) {
        read += chunk.length
        yield chunk
      }
    },
    readBytes: () => read,
    close: () => file.close(),
  }
}

const packed = /\.(gz|zip|bz2|xz|zst)$/i

const createPackedFailure = (name: string): CommandFailure =>
  new CommandFailure(`${name} is compressed. Unpack it, such as with gunzip or unzip.`)

const readStart = async (file: FileHandle): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0)
  return buffer.subarray(0, bytesRead)
}

/** Every line of these files would be refused without a helpful reason. */
const requireText = (start: Buffer, name: string): void => {
  if (isUtf16(start)) throw new CommandFailure(`${name} is encoded as UTF-16. Save it as UTF-8.`)
  const [first, second] = start
  const isGzip = first === 0x1f && second === 0x8b
  if (isGzip || start.toString('latin1', 0, 4) === 'PK\x03\x04') throw createPackedFailure(name)
}

const requireLines = (start: Buffer, name: string): void => {
  if (!/^\ufeff?\s*\[/.test(start.toString('utf8'))) return
  throw new CommandFailure(
    `${name} is a JSON array, and must have one object on each line. Convert it, such as with: jq -c '.[]'`,
  )
}

const fileCodes = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC']

export const createExistsFailure = (file: string): CommandFailure =>
  new CommandFailure(`${file} already exists. Choose another file.`)

/**
 * Writes a complete file or none. Other users cannot read it, and it never replaces a file.
 *
 * @throws CommandFailure if the file cannot be written, or the error of `content`
 */
export const writeNewFile = async (content: Readable, file: string, signal: AbortSignal): Promise<void> => {
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    await pipeline(content, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }), { signal })
    await link(draft, file)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') throw createExistsFailure(file)
    if (fileCodes.includes(code)) throw new CommandFailure(`${file} cannot be written (${code}).`)
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}
