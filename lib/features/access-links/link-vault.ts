import { randomBytes } from 'node:crypto'
import { decryptText, encryptText } from '../../kernel/secrets/jwe.ts'
import { type EncryptionContext, UnreadableSecret, type Vault } from '../../kernel/secrets/vault.ts'
import type { Services } from '../../services.ts'
import { addDataKey, findDataKey } from './data-keys.records.ts'

/*
 * A list contains hundreds of link values, and a KMS call for each would cost more than the list itself. Therefore values
 * are encrypted with a data key of the month, and only that key is encrypted by the vault. A warm process caches the key.
 */

export const linkPurpose = 'access_token'
const keyBytes = 32

/** The vault for link values. Its encryption contexts bind each value to its link. */
export const getLinkVault = (services: Services): Vault => {
  const vault = vaults.get(services) ?? openLinkVault(services)
  vaults.set(services, vault)
  return vault
}
const vaults = new WeakMap<Services, Vault>()

const openLinkVault = (services: Services): Vault => {
  const keys = new Map<string, Promise<Buffer>>()
  const getKey = (month: string, load: (month: string) => Promise<Buffer>): Promise<Buffer> => {
    const cached = keys.get(month)
    if (cached) return cached
    const loading = load(month)
    keys.set(month, loading)
    // A failure is not cached, so that the next request tries again.
    loading.catch(() => keys.delete(month))
    return loading
  }
  return {
    encrypt: async (text, context) => {
      const month = new Date(services.now()).toISOString().slice(0, 7)
      const key = await getKey(month, (name) => loadOrCreateKey(services, name))
      return `${month}.${await encryptText(key, text, context)}`
    },

    decrypt: async (cipher, context) => {
      const [, month = '', sealed = ''] = /^(\d{4}-\d{2})\.(.+)$/.exec(cipher) ?? []
      if (month === '') throw new UnreadableSecret('The encrypted text is not a link value.')
      const key = await getKey(month, (name) => loadKey(services, name))
      return decryptText(key, sealed, context)
    },
  }
}

/** The context of the data key of a month. */
export const getDataKeyContext = (month: string): EncryptionContext => ({ purpose: linkPurpose, month })

const loadKey = async ({ table, vault }: Services, month: string): Promise<Buffer> => {
  const cipher = await findDataKey(table, linkPurpose, month)
  if (cipher === undefined) throw new UnreadableSecret(`There is no data key for links of ${month}.`)
  return Buffer.from(await vault.decrypt(cipher, getDataKeyContext(month)), 'base64')
}

/** When several processes need the first key of a month concurrently, one of them creates it and all use that one. */
const loadOrCreateKey = async (services: Services, month: string): Promise<Buffer> => {
  const { table, vault } = services
  if ((await findDataKey(table, linkPurpose, month)) === undefined) {
    const key = randomBytes(keyBytes)
    const cipher = await vault.encrypt(key.toString('base64'), getDataKeyContext(month))
    if (await addDataKey(table, linkPurpose, month, cipher)) return key
  }
  return loadKey(services, month)
}
