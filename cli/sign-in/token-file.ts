import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import * as z from 'zod/mini'
import { CommandFailure, codeOf } from '../command-failure.ts'
import type { Environment } from '../program.ts'

const StoredTokens = z.object({
  /** The origin of the service. */
  url: z.string(),
  clientId: z.string(),
  accessToken: z.string(),
  /** Epoch milliseconds. */
  accessTokenExpiresAt: z.number(),
  refreshToken: z.string(),
})
export type StoredTokens = z.output<typeof StoredTokens>

/** The file with the tokens of the user. A relative folder is ignored, as the XDG specification says. */
export const getTokenFile = ({ XDG_CONFIG_HOME: folder = '' }: Environment): string =>
  join(isAbsolute(folder) ? folder : join(homedir(), '.config'), 'latchkey', 'tokens.json')

/** Undefined if there is none. @throws CommandFailure if the file cannot be read */
export const readTokens = async (file: string): Promise<StoredTokens | undefined> => {
  try {
    return StoredTokens.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new CommandFailure(`${file} cannot be read. Delete it, then run latchkey login again.`)
  }
}

/** Stores the tokens in place of those before. Only the user can read the file. @throws CommandFailure */
export const writeTokens = async (file: string, tokens: StoredTokens): Promise<void> => {
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(draft, `${JSON.stringify(tokens)}\n`, { flag: 'wx', mode: 0o600, flush: true })
    await rename(draft, file)
  } catch (error) {
    throw new CommandFailure(`${file} cannot be written (${codeOf(error)}).`)
  } finally {
    await rm(draft, { force: true })
  }
}

export const deleteTokens = (file: string): Promise<void> => rm(file, { force: true })
