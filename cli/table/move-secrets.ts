import { getTotpKeyContext } from '../../lib/accounts/users/account-state.ts'
import { userKind } from '../../lib/accounts/users/stored-user.records.ts'
import { companyAccountCodec } from '../../lib/features/connections/accounts.records.ts'
import { getRefreshTokenContext } from '../../lib/features/connections/oidc/refresh-tokens.ts'
import type { MapSecret } from '../../lib/features/connections/protocol.ts'
import { getProtocol } from '../../lib/features/connections/protocols.ts'
import { getSigningKeyContext } from '../../lib/features/oauth/signing-keys/signing-key.ts'
import { privateSigningKeyCodec } from '../../lib/features/oauth/signing-keys.records.ts'
import { openVault } from '../../lib/kernel/secrets/encryption.ts'
import type { EncryptionContext } from '../../lib/kernel/secrets/vault.ts'
import { getDataKeyContext } from '../../lib/kernel/table/data-keys.ts'
import {
  companyMembershipsPrefix,
  connectionKey,
  privateSigningKeyPrefix,
  vaultCanaryKey,
} from '../../lib/kernel/table/keys/keys.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import { vaultCheckContext } from '../../lib/kernel/table/vault-canary.ts'
import type { Services } from '../../lib/services.ts'
import { CommandFailure } from '../../local/command-failure.ts'

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

/** Encrypting again gives another text each time, so items are compared without such texts. */
export const withoutCiphers = (item: Item): unknown => {
  return JSON.parse(
    JSON.stringify(item, (name, value) => {
      if (name === 'cipher' || name === 'encryptedKey') return undefined
      return value instanceof Set ? [...value].sort() : value
    }),
  )
}

/**
 * Replaces each text of an item that the vault encrypted. Returns the item itself if it has none. Values of access links
 * are encrypted with data keys, so only these change.
 */
export const mapSecrets = async (item: Item, map: MapSecret): Promise<Item> => {
  if (item.pk === vaultCanaryKey.pk)
    return { ...item, cipher: await map(String(item['cipher']), vaultCheckContext) }
  if (item.sk === 'user') return mapUserSecret(item, map)
  if (item.sk === connectionKey(0).sk) return mapConnectionSecrets(item, map)
  if (item.sk.startsWith(privateSigningKeyPrefix)) return mapSigningKey(item, map)
  if (item.sk.startsWith(companyMembershipsPrefix)) return mapRefreshToken(item, map)
  if (item.sk !== 'data-key') return item
  const [, purpose = '', month = ''] = item.pk.split('#')
  return { ...item, cipher: await map(String(item['cipher']), getDataKeyContext(purpose, month)) }
}

const mapUserSecret = async (item: Item, map: MapSecret): Promise<Item> => {
  const { id, totp } = userKind.codec.decode(item)
  if (!totp) return item
  return { ...item, totp: { ...totp, encryptedKey: await map(totp.encryptedKey, getTotpKeyContext(id)) } }
}

const mapRefreshToken = async (item: Item, map: MapSecret): Promise<Item> => {
  const { refreshToken } = companyAccountCodec.decode(item)
  if (!refreshToken) return item
  const [, providerId = '', account = ''] = item.sk.split('#')
  const context = getRefreshTokenContext(Number(providerId), account)
  return { ...item, refreshToken: { cipher: await map(refreshToken.cipher, context) } }
}

const mapSigningKey = async (item: Item, map: MapSecret): Promise<Item> => {
  const { kid, cipher } = privateSigningKeyCodec.decode(item)
  return { ...item, cipher: await map(cipher, getSigningKeyContext(kid)) }
}

const mapConnectionSecrets = async (item: Item, map: MapSecret): Promise<Item> => {
  const { pk, sk } = item
  const protocol = getProtocol({ kind: String(item['kind']) })
  return { ...(await protocol.mapSecrets(protocol.stored.codec.decode(item), map)), pk, sk }
}
