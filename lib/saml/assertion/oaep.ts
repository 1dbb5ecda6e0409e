import { constants, createHash, type KeyObject, privateDecrypt } from 'node:crypto'

export interface OaepParameters {
  /** Names of hashes: of the label, and of the mask (MGF1). */
  readonly hash: string
  readonly maskHash: string
  readonly label: Buffer
}

/**
 * Decrypts by RSA-OAEP (RFC 8017 7.1.2). Undefined for whatever is wrong with what was encrypted, in one way: whoever
 * can tell a first byte that is wrong from the rest reads any message in some thousand tries (Manger).
 */
export const decodeOaep = (
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
      : decoded(privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, content), {
          ...{ hash, maskHash, label },
        })
  } catch {
    return undefined
  }
}

/**
 * EME-OAEP decoding, for two hashes that differ, which the library of Node doesn't do. Everything is looked at, whatever
 * was found, and found wrong at one place.
 */
const decoded = (encoded: Buffer, { hash, maskHash, label }: OaepParameters): Buffer | undefined => {
  const labelHash = createHash(hash).update(label).digest()
  const { length } = labelHash
  // This is said of the key, and of nothing that was encrypted.
  if (encoded.length < 2 * length + 2) return undefined
  const maskedSeed = encoded.subarray(1, 1 + length)
  const maskedBlock = encoded.subarray(1 + length)
  const seed = xored(maskedSeed, mask(maskedBlock, length, maskHash))
  const block = xored(maskedBlock, mask(seed, maskedBlock.length, maskHash))

  let faults = encoded.readUInt8(0)
  for (let at = 0; at < length; at++) faults |= block.readUInt8(at) ^ labelHash.readUInt8(at)
  // Zeros, a one, and then the message: `isAhead` is 1 until that one, and 0 from there on.
  let isAhead = 1
  let oneAt = 0
  for (let at = length; at < block.length; at++) {
    const byte = block.readUInt8(at)
    const isOne = isZero(byte ^ 1)
    oneAt |= at & -(isAhead & isOne)
    faults |= isAhead & (1 ^ isOne) & (1 ^ isZero(byte))
    isAhead &= 1 ^ isOne
  }
  return (faults | isAhead) === 0 ? block.subarray(oneAt + 1) : undefined
}

/** 1 for zero, and 0 for any other byte, without asking. */
const isZero = (byte: number): number => ((byte - 1) >>> 8) & 1

const xored = (left: Buffer, right: Buffer): Buffer =>
  Buffer.from(left.map((byte, at) => byte ^ right.readUInt8(at)))

/** MGF1 (RFC 8017 B.2.1). */
const mask = (seed: Buffer, length: number, hash: string): Buffer => {
  const parts: Buffer[] = []
  for (let counter = 0, made = 0; made < length; counter++) {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const part = createHash(hash).update(seed).update(count).digest()
    parts.push(part)
    made += part.length
  }
  return Buffer.concat(parts).subarray(0, length)
}
