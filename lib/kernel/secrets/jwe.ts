import { type EncryptionContext, UnreadableSecret } from './vault.ts'

/* The library is loaded on first use, because most requests encrypt and decrypt nothing. */

const algorithms = { alg: 'dir', enc: 'A256GCM' } as const

/** Encrypts a text with a 256-bit key as a compact JWE (RFC 7516) with the context in its protected header. */
export const encryptText = async (
  key: Uint8Array,
  text: string,
  context: EncryptionContext,
): Promise<string> => {
  const { CompactEncrypt } = await import('jose/jwe/compact/encrypt')
  return new CompactEncrypt(Buffer.from(text))
    .setProtectedHeader({ ...algorithms, context: formatContext(context) })
    .encrypt(key)
}

/** Decrypts a compact JWE. @throws UnreadableSecret if it was modified, or encrypted with another key or for another context. */
export const decryptText = async (
  key: Uint8Array,
  jwe: string,
  context: EncryptionContext,
): Promise<string> => {
  if (!isCanonical(jwe)) throw new UnreadableSecret('The JWE is not in its canonical encoding.')
  const { compactDecrypt } = await import('jose/jwe/compact/decrypt')
  const { plaintext, protectedHeader } = await compactDecrypt(jwe, key, {
    keyManagementAlgorithms: [algorithms.alg],
    contentEncryptionAlgorithms: [algorithms.enc],
  }).catch((cause: unknown) => {
    throw new UnreadableSecret('The JWE was modified, or encrypted with another key.', { cause })
  })
  if (protectedHeader['context'] !== formatContext(context))
    throw new UnreadableSecret('The JWE was encrypted for another context.')
  return Buffer.from(plaintext).toString('utf8')
}

/** Formats a context, independent of the order of its names. */
const formatContext = (context: EncryptionContext): string =>
  JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1)))

/** The last character of base64url has unused bits. Accepting them would give one JWE several encodings. */
const isCanonical = (jwe: string): boolean =>
  jwe.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
