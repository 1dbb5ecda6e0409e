import { type FileHandle, open, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { CommandFailure, codeOf } from './command-failure.ts'

export type Format = 'json-lines' | 'csv'

const formats = new Map<string, Format>(
  Object.entries({
    '.jsonl': 'json-lines',
    '.ndjson': 'json-lines',
    '.csv': 'csv',
  }),
)

/** An open import file. It can be read once. */
export interface Input {
  readonly format: Format
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
export const openInput = async (path: string, given?: Format): Promise<Input> => {
  const name = basename(path)
  const format = given ?? formats.get(extname(path).toLowerCase())
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

const createInput = (file: FileHandle, format: Format, sizeBytes: number, id: string): Input => {
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

const openFile = async (path: string, name: string): Promise<FileHandle> => {
  try {
    // Opening a pipe would wait for a writer, so this check comes first.
    if (!(await stat(path)).isFile()) throw new CommandFailure(`${name} is not a file.`)
    return await open(path, 'r')
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    if (codeOf(error) === 'ENOENT') throw new CommandFailure(`The file ${path} does not exist.`)
    throw new CommandFailure(`${path} cannot be read (${codeOf(error)}).`)
  }
}

/** Every line of a UTF-16 file would be refused without a helpful reason. */
const requireUtf8 = async (file: FileHandle, name: string): Promise<void> => {
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
  const byteOrderMark = buffer.readUInt16BE()
  if (byteOrderMark === 0xfffe || byteOrderMark === 0xfeff)
    throw new CommandFailure(`${name} is encoded as UTF-16. Save it as UTF-8.`)
}
