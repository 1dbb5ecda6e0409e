import { constants, createHash, type KeyObject, privateDecrypt } from 'node:crypto'

export interface OaepParameters {
  /** The name of the hash of the label. */
  readonly hash: string
  /** The name of the hash of the mask (MGF1). */
  readonly maskHash: string
  readonly label: Buffer
}

/**
 * Decrypts with RSA-OAEP (RFC 8017 7.1.2). Returns undefined for every kind of failure. An attacker who can distinguish
 * a wrong first byte from other failures can decrypt any message in some thousand attempts (Manger).
 */
export const decryptOaep = (
  key: KeyObject,
  content: Buffer,
  { hash, maskHash, label }: OaepParameters,
): Buffer | undefined => {
  try {
    return hash === maskHash
      ? privateDecrypt(
          { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: hash, oaepLabel: label },
          content,
        )
      : decodeOaep(privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, content), {
          hash,
          maskHash,
          label,
        })
  } catch {
    return undefined
  }
}

/**
 * EME-OAEP decoding with two different hashes, which Node.js does not support. All bytes are always read, and all
 * failures leave the function at the same place, so that its duration does not show the cause.
 */
const decodeOaep = (encoded: Buffer, { hash, maskHash, label }: OaepParameters): Buffer | undefined => {
  const labelHash = createHash(hash).update(label).digest()
  const { length } = labelHash
  // This depends only on the size of the key, and not on the encrypted content.
  if (encoded.length < 2 * length + 2) return undefined
  const maskedSeed = encoded.subarray(1, 1 + length)
  const maskedBlock = encoded.subarray(1 + length)
  const seed = xor(maskedSeed, createMask(maskedBlock, length, maskHash))
  const block = xor(maskedBlock, createMask(seed, maskedBlock.length, maskHash))

  let differences = encoded.readUInt8(0)
  for (let at = 0; at < length; at++) differences |= block.readUInt8(at) ^ labelHash.readUInt8(at)
  // Zeros, a one, then the message: `isPadding` is 1 until that one and 0 afterwards.
  let isPadding = 1
  let separatorAt = 0
  for (let at = length; at < block.length; at++) {
    const byte = block.readUInt8(at)
    const isOne = isZero(byte ^ 1)
    separatorAt |= at & -(isPadding & isOne)
    differences |= isPadding & (1 ^ isOne) & (1 ^ isZero(byte))
    isPadding &= 1 ^ isOne
  }
  return (differences | isPadding) === 0 ? block.subarray(separatorAt + 1) : undefined
}

/** Returns 1 for zero and 0 for any other byte, without a branch. */
const isZero = (byte: number): number => ((byte - 1) >>> 8) & 1

const xor = (left: Buffer, right: Buffer): Buffer =>
  Buffer.from(left.map((byte, at) => byte ^ right.readUInt8(at)))

/** MGF1 (RFC 8017 B.2.1). */
const createMask = (seed: Buffer, bytes: number, hash: string): Buffer => {
  const parts: Buffer[] = []
  for (let counter = 0, total = 0; total < bytes; counter++) {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const part = createHash(hash).update(seed).update(count).digest()
    parts.push(part)
    total += part.length
  }
  return Buffer.concat(parts).subarray(0, bytes)
}
