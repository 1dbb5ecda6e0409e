import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Returns the path of the vault key, next to the data that it encrypts. For data in memory the key is in a private
 * temporary folder, which is removed when this process exits.
 */
export const createKeyPath = (dataDir: string): string => {
  if (dataDir !== ':memory:') return join(dataDir, 'vault.key')
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'vault.key')
}
