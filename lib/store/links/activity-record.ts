import { createCodec } from '../engine/codec.ts'

/** One use of an access link. */
export interface ActivityRecord {
  /** Random within its token. Consecutive IDs would cost each use a write to a counter. */
  readonly id: number
  readonly tokenId: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly address: string
}

export const activityCodec = createCodec<ActivityRecord>('link activity', {
  id: 'number',
  tokenId: 'number',
  at: 'number',
  address: 'string',
})
