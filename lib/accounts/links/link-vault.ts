import { randomBytes } from 'node:crypto'
import type { EncryptionContext, Vault } from '../../secrets/vault.ts'
import type { Services } from '../../services.ts'
import { addDataKey, findDataKey } from '../../store/records/data-keys.ts'

/*
 * The values of links are shown by the hundred, and a call of KMS for each would cost more than the list itself. So
 * they are encrypted by a key of the month they were made in, and only that is encrypted by the vault: a warm process
 * has asked for it already.
 */

export const linkPurpose = 'access_token'
const keyBytes = 32

/** The vault for the values of links. What is encrypted for one doesn't open for another. */
export const getLinkVault = (services: Services): Vault => {
  const known = vaults.get(services)
  if (known) return known
  const made = openLinkVault(services)
  vaults.set(services, made)
  return made
}
const vaults = new WeakMap<Services, Vault>()

const openLinkVault = (services: Services): Vault => {
  const keys = new Map<string, Promise<Buffer>>()
  const keyOf = (month: string, find: (month: string) => Promise<Buffer>): Promise<Buffer> => {
    const known = keys.get(month)
    if (known) return known
    const found = find(month)
    keys.set(month, found)
    // What can't be had now may be had by the next request.
    found.catch(() => keys.delete(month))
    return found
  }
  return {
    encrypt: async (text, context) => {
      const month = new Date(services.now()).toISOString().slice(0, 7)
      const key = await keyOf(month, (name) => existingOrNew(services, name))
      return `${month}.${await (await jwe()).encryptText(key, text, context)}`
    },

    decrypt: async (cipher, context) => {
      const [, month = '', sealed = ''] = /^(\d{4}-\d{2})\.(.+)$/.exec(cipher) ?? []
      if (month === '') throw new Error('What is to be decrypted is no value of a link.')
      const key = await keyOf(month, (name) => existing(services, name))
      return (await jwe()).decryptText(key, sealed, context)
    },
  }
}

/** Loaded when it is first wanted: most requests never come by it. */
const jwe = () => import('../../secrets/jwe.ts')

const contextOf = (month: string): EncryptionContext => ({ purpose: linkPurpose, month })

const existing = async ({ table, vault }: Services, month: string): Promise<Buffer> => {
  const cipher = await findDataKey(table, linkPurpose, month)
  if (cipher === undefined) throw new Error(`There is no key for links of ${month}.`)
  return Buffer.from(await vault.decrypt(cipher, contextOf(month)), 'base64')
}

/** Of several processes that come first in a month at the same moment one makes the key, and all have the same. */
const existingOrNew = async (services: Services, month: string): Promise<Buffer> => {
  const { table, vault } = services
  if ((await findDataKey(table, linkPurpose, month)) === undefined) {
    const key = randomBytes(keyBytes)
    const cipher = await vault.encrypt(key.toString('base64'), contextOf(month))
    if (await addDataKey(table, linkPurpose, month, cipher)) return key
  }
  return existing(services, month)
}
