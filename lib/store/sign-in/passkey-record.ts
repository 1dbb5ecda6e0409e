import { createCodec } from '../engine/codec.ts'

/**
 * A passkey, in the partition of its owner, so that one call reads both. A marker leads from the credential ID to the
 * owner, because a sign-in with a passkey names no user.
 */
export interface PasskeyRecord {
  /** The SHA-256 of the credential ID, in base64url. A credential ID can be too long for a key. */
  readonly hash: string
  /** Random within its user, like the ID of a session. */
  readonly id: number
  readonly userId: number
  readonly name: string
  /** The ID that the authenticator chose, in base64url. */
  readonly credentialId: string
  /** The public key as COSE (RFC 9052), in base64url. */
  readonly publicKey: string
  /** How often the authenticator says that it was used. Always 0 for passkeys that devices share. */
  readonly counter: number
  /** How browsers can reach the authenticator. */
  readonly transports: readonly string[]
  /** Whether devices may share the passkey. This never changes. */
  readonly isBackupEligible: boolean
  readonly isBackedUp: boolean
  /** Whether the passkey has ever verified its user. */
  readonly isUserVerified: boolean
  /** The model of the authenticator, or zeros. Nothing proves it. */
  readonly aaguid: string
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number
  readonly lastUsedAt: number | null
  /** When the counter last went back. */
  readonly clonedAt?: number
}

export const passkeyCodec = createCodec<PasskeyRecord>('passkey', {
  hash: 'string',
  id: 'number',
  userId: 'number',
  credentialId: 'string',
  publicKey: 'string',
  counter: 'number',
  isBackupEligible: 'boolean',
  isUserVerified: 'boolean',
})
