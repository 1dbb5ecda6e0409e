import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UnreadableSecret } from '../lib/kernel/secrets/vault.ts'
import { checkVaultCanary, hasVaultCanary } from '../lib/kernel/table/vault-canary.ts'
import type { Services } from '../lib/services.ts'
import { hasData } from './engines.ts'

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

/**
 * Refuses data that was encrypted with another key. A new key next to old data would make the old secrets unreadable, and
 * mix them with new ones.
 *
 * @throws Error that says which file to restore.
 */
export const requireVaultKey = async ({ table, vault }: Services, file: string): Promise<void> => {
  const advice =
    'Restore the file that belongs to the data from your backup, or set another DATA_DIR. Then start again.'
  if (!existsSync(file) && (await hasVaultCanary(table)))
    throw new Error(
      `${file} is missing. It has the key that the secrets in the data are encrypted with. ${advice}`,
    )
  await checkVaultCanary(table, vault).catch((error: unknown) => {
    if (!(error instanceof UnreadableSecret)) throw error
    throw new Error(`${file} has another key than the one that the data was encrypted with. ${advice}`)
  })
}

/**
 * Refuses a folder whose keys remain, but whose data are missing. A new start would look like a new service, and all accounts would
 * be lost without a word.
 *
 * @throws Error that says what to do.
 */
export const requireData = (dataDir: string): void => {
  const { vaultKey } = getKeyPaths(dataDir)
  if (!existsSync(vaultKey) || hasData(dataDir)) return
  throw new Error(
    `The data in ${dataDir} are missing or empty, but ${vaultKey} exists. Restore the folder from your backup. To start a new service, move the folder away.`,
  )
}

const getKeyPaths = (folder: string): KeyPaths => ({
  vaultKey: join(folder, 'vault.key'),
  auditKey: join(folder, 'audit.key'),
})
