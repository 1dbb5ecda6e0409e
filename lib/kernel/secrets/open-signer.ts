import type { Signer } from './signer.ts'

export interface SignerOptions {
  /** The ID or ARN of the AWS KMS key that signs. */
  readonly auditKeyId: string | undefined
  /** The key file that replaces KMS in local mode. It is created on first use. */
  readonly auditKeyFile: string | undefined
}

/** @throws Error if no key is configured, or the key file cannot be used. */
export const openSigner = async ({ auditKeyId, auditKeyFile }: SignerOptions): Promise<Signer> => {
  if (auditKeyId) return (await import('./kms-signer.ts')).openKmsSigner(auditKeyId)
  if (auditKeyFile) return (await import('./local-keys.ts')).openLocalSigner(auditKeyFile)
  throw new Error('No key for audit checkpoints is configured. Set AUDIT_KEY_ID or LOCAL_AUDIT_KEY_FILE.')
}
