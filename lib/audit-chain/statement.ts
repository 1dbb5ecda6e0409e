import * as z from 'zod/mini'
import { auditShards } from '../core/audit-shards.ts'
import type { ChainHead } from '../store/audit-chain/chain-records.ts'

const count = z.int().check(z.minimum(0))

const SignedHead = z.strictObject({
  shard: z.enum(auditShards),
  /** The last block and its hash. */
  number: count,
  hash: z.string(),
  /** The sequence number of the last event. */
  sequence: count,
  /** All events up to this sort key are in the chain. */
  swept: z.string(),
})

/** What a checkpoint signs: the heads of all chains, and the hash of the checkpoint before it. */
export const CheckpointStatement = z.strictObject({
  version: z.literal(1),
  number: z.int().check(z.minimum(1)),
  /** Epoch milliseconds. */
  at: count,
  /** The hash of the previous statement, and its time. Empty and 0 for the first one. */
  previousHash: z.string(),
  previousAt: count,
  chains: z.array(SignedHead),
})
export type CheckpointStatement = z.output<typeof CheckpointStatement>
export type SignedHead = z.output<typeof SignedHead>

/** Reads a statement. Undefined if it is not one. */
export const readStatement = (text: string): CheckpointStatement | undefined => {
  try {
    return z.safeParse(CheckpointStatement, JSON.parse(text)).data
  } catch {
    return undefined
  }
}

export const signHead = ({ shard, number, hash, sequence, swept }: ChainHead): SignedHead => ({
  shard,
  number,
  hash,
  sequence,
  swept,
})
