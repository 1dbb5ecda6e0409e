import { createCodec } from '../engine/codec.ts'

/** Consecutive failed sign-ins to one account from one network. */
export interface PairRecord {
  readonly failures: number
  /** Epoch milliseconds. Until then, further attempts are rejected without a look at the password. */
  readonly blockedUntil: number
}

export const pairCodec = createCodec<PairRecord>('login pair', { failures: 'number', blockedUntil: 'number' })
