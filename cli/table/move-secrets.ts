import { openVault } from '../../lib/secrets/encryption.ts'
import type { EncryptionContext } from '../../lib/secrets/vault.ts'
import type { Services } from '../../lib/services.ts'
import type { Item } from '../../lib/store/engine/transaction.ts'
import { CommandFailure } from '../command-failure.ts'
import { mapSecrets } from './map-secrets.ts'

/**
 * Returns a function that encrypts the secrets of an item with KMS_KEY_ID, if they are encrypted with KMS_OTHER_KEY_ID. It
 * returns the item itself if nothing changes.
 *
 * @throws CommandFailure if a key is missing.
 */
export const createSecretMover = ({ config, vault }: Services): ((item: Item) => Promise<Item>) => {
  const { kmsKeyId, kmsOtherKeyId } = config
  if (!kmsKeyId || !kmsOtherKeyId)
    throw new CommandFailure(
      'Set KMS_KEY_ID to the new vault key, and KMS_OTHER_KEY_ID to the one that encrypted the secrets so far.',
    )
  const present = openVault({ kmsKeyId, localKeyFile: undefined })
  return async (item) => {
    let isMoved = false
    const move = async (cipher: string, context: EncryptionContext): Promise<string> => {
      try {
        await present.decrypt(cipher, context)
        return cipher
      } catch {
        isMoved = true
        return present.encrypt(await vault.decrypt(cipher, context), context)
      }
    }
    const moved = await mapSecrets(item, move)
    return isMoved ? moved : item
  }
}
