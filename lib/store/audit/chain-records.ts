import { createCodec } from '../engine/codec.ts'
import type { AuditShard } from '../keys/audit-shards.ts'

/** Some events of a shard with their hashes. Each block contains the hash of the block before it. */
export interface ChainBlock {
  readonly shard: AuditShard
  /** From 1, without gaps. */
  readonly number: number
  /** Epoch milliseconds. */
  readonly chainedAt: number
  /** The hash of the previous block. Empty for the first one. */
  readonly previousHash: string
  /** When the previous block was added, so that a verification knows whether it has expired. 0 for the first one. */
  readonly previousAt: number
  /** The sequence number of the first event, from 1, without gaps between blocks. */
  readonly firstSequence: number
  /** For each event its sort key, a space, and its hash. */
  readonly entries: readonly string[]
  readonly hash: string
}

/** The end of a chain, and how far the events of its shard were read. */
export interface ChainHead {
  readonly shard: AuditShard
  /** The number, hash and time of the last block. 0 and empty before the first one. */
  readonly number: number
  readonly hash: string
  readonly chainedAt: number
  /** The sequence number of the last event. */
  readonly sequence: number
  /** Events up to this sort key are in the chain, except late ones. */
  readonly cursor: string
  /** Events up to this sort key are in the chain, late ones as well. */
  readonly swept: string
  /** All blocks with events after `swept` have greater numbers. */
  readonly sweptBlock: number
  /** Where the next search for late events ends, and the last block at the time when `cursor` was there. */
  readonly marked: string
  readonly markedBlock: number
}

export const chainBlockCodec = createCodec<ChainBlock>('block of the audit chain', {
  number: 'number',
  chainedAt: 'number',
  previousHash: 'string',
  previousAt: 'number',
  firstSequence: 'number',
  entries: 'list',
  hash: 'string',
})

export const chainHeadCodec = createCodec<ChainHead>('head of the audit chain', {
  number: 'number',
  hash: 'string',
  chainedAt: 'number',
  sequence: 'number',
  cursor: 'string',
  swept: 'string',
  sweptBlock: 'number',
  marked: 'string',
  markedBlock: 'number',
})

/** A signed statement about the heads of all chains. */
export interface StoredCheckpoint {
  readonly number: number
  /** The signed text: see `CheckpointStatement`. */
  readonly statement: string
  /** In base64url. */
  readonly signature: string
}

export const checkpointCodec = createCodec<StoredCheckpoint>('audit checkpoint', {
  number: 'number',
  statement: 'string',
  signature: 'string',
})
