import * as z from 'zod/mini'
import { auditSignedLateMs } from '../../../kernel/limits/limits.ts'
import { type AuditShard, auditShards } from '../../../kernel/table/keys/audit-shards.ts'
import type { ChainHead } from '../chain.records.ts'

const count = z.int().check(z.minimum(0))

const SignedHead = z.strictObject({
  shard: z.enum(auditShards),
  /** The last block, its hash, when it was added, and when it expires. */
  number: count,
  hash: z.string(),
  chainedAt: count,
  expiresAt: count,
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
  /** The hash of the previous statement. Empty for the first one. */
  previousHash: z.string(),
  /**
   * The time of the previous statement, and 0 for the first one. It is `at` if the previous signature was not of the same
   * key, because then nothing proves that time.
   */
  previousAt: count,
  /** When the checkpoint expires, and the one before it: after all blocks. The second is the first if `previousAt` is `at`. */
  expiresAt: count,
  previousExpiresAt: count,
  /** How long the service kept new audit events at that time. */
  retentionDays: count,
  chains: z.array(SignedHead),
})
export type CheckpointStatement = z.output<typeof CheckpointStatement>
type SignedHead = z.output<typeof SignedHead>

/** What a checkpoint says about one chain. */
export interface SignedChain extends SignedHead {
  /** When it was signed. */
  readonly at: number
  /** No block that this checkpoint is the first to sign is older. Epoch milliseconds, below 0 for the first checkpoint. */
  readonly since: number
  /** When the checkpoint before it expires, in epoch seconds. */
  readonly previousExpiresAt: number
}

/** Reads a statement. Undefined if it is not one. */
export const readStatement = (text: string): CheckpointStatement | undefined => {
  try {
    return z.safeParse(CheckpointStatement, JSON.parse(text)).data
  } catch {
    return undefined
  }
}

export const signHead = ({
  shard,
  number,
  hash,
  chainedAt,
  expiresAt,
  sequence,
  swept,
}: ChainHead): SignedHead => ({
  shard,
  number,
  hash,
  chainedAt,
  expiresAt,
  sequence,
  swept,
})

/** What these statements say about a chain, in their order. */
export const listSignedChains = (
  statements: readonly CheckpointStatement[],
  shard: AuditShard,
): readonly SignedChain[] =>
  statements.flatMap(({ at, previousAt, previousExpiresAt, chains }) =>
    chains
      .filter((chain) => chain.shard === shard)
      .map((chain) => ({ ...chain, at, since: previousAt - auditSignedLateMs, previousExpiresAt })),
  )
