import { createCodec } from '../engine/codec.ts'

export interface ResetTokenRecord {
  readonly hash: string
  readonly userId: number
  /** A token of an earlier epoch is revoked: the password was changed since. */
  readonly credentialEpoch: number
  /** A newer link or another email address raises the epoch of the user. */
  readonly resetEpoch: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

export const resetTokenCodec = createCodec<ResetTokenRecord>('reset token', {
  hash: 'string',
  userId: 'number',
  credentialEpoch: 'number',
  resetEpoch: 'number',
  expiresAt: 'number',
})
