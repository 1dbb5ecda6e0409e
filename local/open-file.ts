import { type FileHandle, open, stat } from 'node:fs/promises'
import { CommandFailure, codeOf } from './command-failure.ts'

/** Opens a file to read it. @throws CommandFailure if it cannot be read, or is none: a pipe would wait for a writer */
export const openFile = async (path: string, name: string): Promise<FileHandle> => {
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
