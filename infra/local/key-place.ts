import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Where the key of this machine lies: with the data that it is for. Data in memory has one in a folder that nobody
 * else can read, which goes when this process ends; it opens nothing by then.
 */
export const placeOfKey = (dataDir: string): string => {
  if (dataDir !== ':memory:') return join(dataDir, 'vault.key')
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'vault.key')
}
