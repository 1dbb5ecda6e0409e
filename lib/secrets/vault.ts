/** What a secret belongs to, such as its user. Whoever decrypts has to name the same; it isn't secret itself. */
export type EncryptionContext = Readonly<Record<string, string>>

/** Encrypts what has to be read again, so that a copy of the table is worth nothing without the key. */
export interface Vault {
  /** Encrypts a text of up to 4 KB. Twice the same text gives two different ones. */
  encrypt(text: string, context: EncryptionContext): Promise<string>
  /** @throws Error when the text was tampered with, or encrypted for another context or by another key. */
  decrypt(cipher: string, context: EncryptionContext): Promise<string>
}

/** What every vault keeps to, so that what one wrote another takes too: the limit is that of KMS. */
export const longestTextBytes = 4096
