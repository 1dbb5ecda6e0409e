import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface KeyPaths {
  readonly vaultKey: string
  /** The key that signs checkpoints of the audit log. */
  readonly auditKey: string
}

/**
 * Returns the paths of the key files, next to the data. For data in memory the keys are in a private temporary folder,
 * which is removed when this process exits.
 */
export const createKeyPaths = (dataDir: string): KeyPaths => {
  if (dataDir !== ':memory:') return getKeyPaths(dataDir)
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return getKeyPaths(folder)
}

const getKeyPaths = (folder: string): KeyPaths => ({
  vaultKey: join(folder, 'vault.key'),
  auditKey: join(folder, 'audit.key'),
})
