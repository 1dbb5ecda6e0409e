import { createHash } from 'node:crypto'

/** Hashes a credential ID in base64url. Other notations of the same bytes have the same hash. */
export const hashCredentialId = (credentialId: string): string =>
  createHash('sha256').update(Buffer.from(credentialId, 'base64url')).digest('base64url')
