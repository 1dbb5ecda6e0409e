import { UnreadableSecret, type Vault } from '../secrets/vault.ts'
import { vaultCanaryKey } from './keys/keys.ts'
import { createCodec, findRecord } from './records.ts'
import type { Table } from './table.ts'
import { wasCommitted } from './transaction.ts'

/*
 * A text that the vault encrypted when the table was new. As long as the vault can decrypt it, it has the key of the
 * secrets in the table. Otherwise new secrets would be encrypted with another key than the stored ones.
 */

const canaryCodec = createCodec<{ readonly cipher: string }>('vault canary', { cipher: 'string' })
const text = 'canary'

/** The encryption context of the texts that the health check encrypts and decrypts, and of the canary. */
export const vaultCheckContext = { purpose: 'health' }

const findCanary = (table: Table) => findRecord(table, canaryCodec, vaultCanaryKey)

/** Whether the table knows its key. */
export const hasVaultCanary = async (table: Table): Promise<boolean> =>
  (await findCanary(table)) !== undefined

/**
 * Checks that the vault has the key of the table. Of several processes that check a new table, one stores its canary.
 *
 * @throws UnreadableSecret if the vault has another key.
 */
export const checkVaultCanary = async (table: Table, vault: Vault): Promise<void> => {
  const canary = (await findCanary(table)) ?? (await addCanary(table, vault))
  if ((await vault.decrypt(canary.cipher, vaultCheckContext)) !== text)
    throw new UnreadableSecret('The vault returned another text.')
}

const addCanary = async (table: Table, vault: Vault) => {
  const cipher = await vault.encrypt(text, vaultCheckContext)
  await wasCommitted(table.reserve({ ...vaultCanaryKey, cipher }))
  const canary = await findCanary(table)
  if (!canary) throw new Error('The canary of the vault was not stored.')
  return canary
}
