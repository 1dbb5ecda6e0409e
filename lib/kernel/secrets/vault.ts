/** What a secret belongs to, such as its user. Decryption requires the same context. It is not secret. */
export type EncryptionContext = Readonly<Record<string, string>>

/** A secret was modified, or encrypted for another context or with another key. Another attempt cannot read it either. */
export class UnreadableSecret extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnreadableSecret'
  }
}

/** Encrypts secrets that must be readable later, so that a copy of the table is useless without the key. */
export interface Vault {
  /** Encrypts a text of up to 4 KB. Encrypting the same text again gives a different result. */
  encrypt(text: string, context: EncryptionContext): Promise<string>
  /** Decrypts a text. @throws UnreadableSecret */
  decrypt(cipher: string, context: EncryptionContext): Promise<string>
}

/** The size limit of KMS. Every vault applies it, so that they are interchangeable. */
export const maxTextBytes = 4096
