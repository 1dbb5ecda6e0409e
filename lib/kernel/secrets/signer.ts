import { createPublicKey, verify } from 'node:crypto'

/** Signs texts, so that anyone with the public key can find out whether a text was changed. */
export interface Signer {
  /** Returns the ECDSA signature of up to 4 KB with P-256 and SHA-256, in base64url. */
  sign(text: string): Promise<string>
  /** Returns the public key in PEM format. */
  getPublicKey(): Promise<string>
}

/** Whether a signature of `Signer.sign` belongs to this text and key. */
export const isSignatureValid = (publicKey: string, text: string, signature: string): boolean =>
  verify('sha256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'))

/** Whether a text is a public key in PEM format. */
export const isPublicKey = (text: string): boolean => {
  try {
    return createPublicKey(text).type === 'public' && !text.includes('PRIVATE')
  } catch {
    return false
  }
}

/** Splits a text with one or several public keys in PEM format. */
export const splitPublicKeys = (text: string): readonly string[] =>
  text.match(/-----BEGIN PUBLIC KEY-----[^-]*-----END PUBLIC KEY-----/g) ?? []
