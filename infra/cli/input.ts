import { type FileHandle, open, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { CommandFailure, codeOf } from './failure.ts'

export type Format = 'json-lines' | 'csv'

const formats: Readonly<Record<string, Format>> = {
  '.jsonl': 'json-lines',
  '.ndjson': 'json-lines',
  '.csv': 'csv',
}

/** A file of users, open for being read once. */
export interface Input {
  readonly format: Format
  readonly sizeBytes: number
  /** What tells the file from any other, whatever its path. */
  readonly identity: string
  readonly chunks: () => AsyncIterable<Buffer>
  /** How far it was read. */
  readonly readBytes: () => number
  readonly close: () => Promise<void>
}

/** @throws CommandFailure when there is no such file, or none of a kind that can be read here. */
export const openInput = async (path: string): Promise<Input> => {
  const name = basename(path)
  const format = formats[extname(path).toLowerCase()]
  if (!format) throw new CommandFailure(`${name} must end in .jsonl, .ndjson or .csv, to tell what it holds.`)
  const file = await openFile(path, name)
  try {
    const { size, dev, ino } = await file.stat()
    await requireUtf8(file, name)
    return inputOf(file, format, size, `${dev}:${ino}`)
  } catch (error) {
    await file.close()
    throw error
  }
}

const inputOf = (file: FileHandle, format: Format, sizeBytes: number, identity: string): Input => {
  let read = 0
  return {
    format,
    sizeBytes,
    identity,
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

const openFile = async (path: string, name: string): Promise<FileHandle> => {
  try {
    // Asked before, since opening a pipe waits for whoever writes into it.
    if (!(await stat(path)).isFile()) throw new CommandFailure(`${name} is not a file.`)
    return await open(path, 'r')
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    if (codeOf(error) === 'ENOENT') throw new CommandFailure(`There is no file ${path}.`)
    throw new CommandFailure(`${path} can't be read (${codeOf(error)}).`)
  }
}

/** A text of two bytes a letter would otherwise be a file of nothing but refused lines. */
const requireUtf8 = async (file: FileHandle, name: string): Promise<void> => {
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
  const mark = buffer.readUInt16BE()
  if (mark === 0xfffe || mark === 0xfeff)
    throw new CommandFailure(`${name} is UTF-16: save it as UTF-8 first.`)
}
