import { randomBytes } from 'node:crypto'
import { type EncryptionContext, UnreadableSecret, type Vault } from '../secrets/vault.ts'
import { dataKeyKey } from './keys/keys.ts'
import { createCodec, findRecord } from './records.ts'
import type { Table } from './table.ts'
import { wasCommitted } from './transaction.ts'

/*
 * Keys that the service uses itself, because a KMS call for each use would cost too much. There is one for each purpose and month.
 * Only the vault can decrypt what is stored. A warm process keeps the key.
 */

const dataKeyCodec = createCodec<{ readonly cipher: string }>('data key', { cipher: 'string' })
const keyBytes = 32

interface Stores {
  readonly table: Table
  readonly vault: Vault
}

/** What the vault binds a key to. */
export const getDataKeyContext = (purpose: string, month: string): EncryptionContext => ({ purpose, month })

/** The month of a time, such as `2026-11`. */
export const getKeyMonth = (ms: number): string => new Date(ms).toISOString().slice(0, 7)

/** The keys of a purpose. */
export interface DataKeys {
  /** Loads the key of a month. @throws UnreadableSecret if there is none, or the vault cannot decrypt it */
  load(month: string): Promise<Buffer>
  /** Loads a key that may not exist yet. When several processes need it concurrently, one of them creates it and all use that one. */
  loadOrCreate(month: string): Promise<Buffer>
}

export const openDataKeys = ({ table, vault }: Stores, purpose: string): DataKeys => {
  const keys = new Map<string, Promise<Buffer>>()
  const keep = (month: string, load: () => Promise<Buffer>): Promise<Buffer> => {
    const cached = keys.get(month)
    if (cached) return cached
    const loading = load()
    keys.set(month, loading)
    // A failure is not cached, so that the next request tries again.
    loading.catch(() => keys.delete(month))
    return loading
  }
  const find = (month: string) => findRecord(table, dataKeyCodec, dataKeyKey(purpose, month))
  const load = async (month: string): Promise<Buffer> => {
    const stored = await find(month)
    if (!stored) throw new UnreadableSecret(`There is no data key of ${month} for ${purpose}.`)
    return Buffer.from(await vault.decrypt(stored.cipher, getDataKeyContext(purpose, month)), 'base64')
  }
  const create = async (month: string): Promise<Buffer> => {
    if (await find(month)) return load(month)
    const key = randomBytes(keyBytes)
    const cipher = await vault.encrypt(key.toString('base64'), getDataKeyContext(purpose, month))
    const isFirst = await wasCommitted(table.reserve({ ...dataKeyKey(purpose, month), cipher }))
    return isFirst ? key : load(month)
  }
  return {
    load: (month) => keep(month, () => load(month)),
    loadOrCreate: (month) => keep(month, () => create(month)),
  }
}
