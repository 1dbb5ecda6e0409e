import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

const keyBytes = 32

/**
 * The key in a file, which is made with a random one when it isn't there. Of several processes that come first at
 * the same moment one makes it, and all have the same key.
 *
 * @throws Error when the file can't be read or made, or holds something else.
 */
export const readOrCreateKey = async (path: string): Promise<Buffer> => {
  const text = (await readIfThere(path)) ?? (await make(path))
  if (!/^[0-9a-f]{64}\s*$/.test(text)) throw new Error(`${path} doesn't hold a key to encrypt with.`)
  return Buffer.from(text.trim(), 'hex')
}

const make = async (path: string): Promise<string> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // Written whole under another name and then given its own, which fails where there is one already. So nobody
  // reads half a key, and none that has encrypted something is ever replaced.
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(keyBytes).toString('hex')}\n`)
    await file.sync()
    await link(draft, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await file.close()
    await rm(draft)
  }
  return readFile(path, 'utf8')
}

const readIfThere = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code
