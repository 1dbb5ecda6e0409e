import { decryptText, encryptText } from '../../kernel/secrets/jwe.ts'
import { UnreadableSecret, type Vault } from '../../kernel/secrets/vault.ts'
import { getKeyMonth, openDataKeys } from '../../kernel/table/data-keys.ts'
import type { Services } from '../../services.ts'

/*
 * A list contains hundreds of link values, and a KMS call for each would cost more than the list itself. Therefore values
 * are encrypted with a data key of the month, and only that key is encrypted by the vault.
 */

export const linkPurpose = 'access_token'

/** The vault for link values. Its encryption contexts bind each value to its link. */
export const getLinkVault = (services: Services): Vault => {
  const vault = vaults.get(services) ?? openLinkVault(services)
  vaults.set(services, vault)
  return vault
}
const vaults = new WeakMap<Services, Vault>()

const openLinkVault = (services: Services): Vault => {
  const keys = openDataKeys(services, linkPurpose)
  return {
    encrypt: async (text, context) => {
      const month = getKeyMonth(services.now())
      return `${month}.${await encryptText(await keys.loadOrCreate(month), text, context)}`
    },

    decrypt: async (cipher, context) => {
      const [, month = '', sealed = ''] = /^(\d{4}-\d{2})\.(.+)$/.exec(cipher) ?? []
      if (month === '') throw new UnreadableSecret('The encrypted text is not a link value.')
      return decryptText(await keys.load(month), sealed, context)
    },
  }
}
