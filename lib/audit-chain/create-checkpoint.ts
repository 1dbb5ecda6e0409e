import { auditShards } from '../core/audit-shards.ts'
import { auditCheckpointMs } from '../core/limits.ts'
import type { Signer } from '../secrets/signer.ts'
import type { Services } from '../services.ts'
import { findChainBlock, findChainHead } from '../store/audit-chain/chain.ts'
import type { ChainHead, StoredCheckpoint } from '../store/audit-chain/chain-records.ts'
import { findLatestCheckpoint, storeCheckpoint } from '../store/audit-chain/checkpoints.ts'
import type { Table } from '../store/engine/table.ts'
import { addLateEvents } from './add-late-events.ts'
import { ChainBroken } from './chain-broken.ts'
import { hashText } from './hashes.ts'
import { type CheckpointStatement, readStatement, signHead } from './statement.ts'

/**
 * Signs the heads of all chains if the last checkpoint is an hour old. Returns the checkpoint, or undefined if none is due
 * or another run was faster.
 *
 * @throws ChainBroken
 */
export const createCheckpoint = async (
  services: Services,
  openSigner: () => Promise<Signer>,
): Promise<StoredCheckpoint | undefined> => {
  const { table, now } = services
  const latest = await findLatestCheckpoint(table)
  const previous = latest && requireStatement(latest)
  if (previous && now() < previous.at + auditCheckpointMs) return undefined
  for (const shard of auditShards) await addLateEvents(services, shard)
  const heads = (await Promise.all(auditShards.map((shard) => findChainHead(table, shard)))).filter(
    (head) => head !== undefined,
  )
  if (previous) await assertContinued(table, previous, heads)
  const statement: CheckpointStatement = {
    version: 1,
    number: (previous?.number ?? 0) + 1,
    at: now(),
    previousHash: latest ? hashText(latest.statement) : '',
    previousAt: previous?.at ?? 0,
    chains: heads.map(signHead),
  }
  const text = JSON.stringify(statement)
  const signature = await (await openSigner()).sign(text)
  const checkpoint = { number: statement.number, statement: text, signature }
  return (await storeCheckpoint(table, checkpoint, statement.at)) ? checkpoint : undefined
}

const requireStatement = ({ number, statement }: StoredCheckpoint): CheckpointStatement => {
  const read = readStatement(statement)
  if (read?.number !== number) throw new ChainBroken(`checkpoint ${number} cannot be read`)
  return read
}

const assertContinued = async (
  table: Table,
  { chains }: CheckpointStatement,
  heads: readonly ChainHead[],
): Promise<void> => {
  for (const { shard, number, hash } of chains) {
    const head = heads.find((current) => current.shard === shard)
    if (!head || head.number < number) throw new ChainBroken(`the chain of shard ${shard} is shorter`)
    if (number === 0 || (head.number === number && head.hash === hash)) continue
    const block = await findChainBlock(table, shard, number)
    if (block?.hash !== hash) throw new ChainBroken(`block ${number} of shard ${shard} is another one`)
  }
}
