import { createCodec } from '../engine/codec.ts'

/** The proof that someone entered the right password, while the second factor is still missing. */
export interface SecondFactorTokenRecord {
  readonly hash: string
  readonly userId: number
  /** A token of an earlier epoch is revoked: the password was changed since. */
  readonly credentialEpoch: number
  /** The network that entered the password. */
  readonly network: string
  /** The hash of the new password that was sent with the right one. It is set when the sign-in is complete. */
  readonly newPasswordHash?: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

export const secondFactorTokenCodec = createCodec<SecondFactorTokenRecord>('second factor token', {
  hash: 'string',
  userId: 'number',
  credentialEpoch: 'number',
  network: 'string',
  expiresAt: 'number',
})
