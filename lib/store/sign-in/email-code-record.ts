import { createCodec } from '../engine/codec.ts'

/** A request to sign in with an emailed code. It is stored for unknown accounts too, without a code. */
export interface EmailCodeRecord {
  readonly hash: string
  /** Guesses so far, right ones included. */
  readonly attempts: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** Set by the mailer, when the account may get a code. */
  readonly code?: EmailCode
}

export interface EmailCode {
  readonly codeHash: string
  readonly userId: number
  /** The code ends with a change of the password or of the address. */
  readonly credentialEpoch: number
  readonly normalizedEmail: string
}

export const emailCodeCodec = createCodec<EmailCodeRecord>('email code', {
  hash: 'string',
  attempts: 'number',
  expiresAt: 'number',
})
