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
 * Opens a file in the given format, or in that of its extension.
 *
 * @throws CommandFailure when the file does not exist, cannot be read, or has an unknown format.
 */
export const openInput = async (path: string, given?: FileFormat): Promise<Input> => {
  const name = basename(path)
  const format = given ?? findFormat(name)
  if (!format) throw new CommandFailure(`${name} must end in .jsonl, .ndjson, or .csv.`)
  const file = await openFile(path, name)
  try {
    const { size, dev, ino } = await file.stat()
    await requireUtf8(file, name)
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

/** Every line of a UTF-16 file would be refused without a helpful reason. */
const requireUtf8 = async (file: FileHandle, name: string): Promise<void> => {
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
  if (isUtf16(buffer)) throw new CommandFailure(`${name} is encoded as UTF-16. Save it as UTF-8.`)
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
