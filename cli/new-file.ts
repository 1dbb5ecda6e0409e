import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CommandFailure, codeOf } from './command-failure.ts'

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
