import { getAuditTime } from '../../accounts/events/clock.records.ts'
import { auditCheckpointKeptMs, auditCheckpointMs } from '../../kernel/limits/limits.ts'
import { type Log, PublicText } from '../../kernel/log/log.ts'
import { openSigner } from '../../kernel/secrets/open-signer.ts'
import { isSignatureValid, type Signer } from '../../kernel/secrets/signer.ts'
import { auditShards } from '../../kernel/table/keys/audit-shards.ts'
import { day } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { hashText } from './chain/chain-blocks.ts'
import { extendChain } from './chain/extend-chain.ts'
import { ChainBroken, Findings } from './chain/findings.ts'
import { type CheckpointStatement, listSignedChains, readStatement, signHead } from './chain/statement.ts'
import { verifyBlocks } from './chain/verify-blocks.ts'
import {
  type ChainHead,
  findLatestCheckpoint,
  type StoredCheckpoint,
  storeCheckpoint,
} from './chain.records.ts'
import { surveyAuditIfDue } from './survey.records.ts'

interface NewCheckpoint extends StoredCheckpoint {
  /** False if another key signed the checkpoint before it, or no key at all. */
  readonly isContinued: boolean
}

/**
 * Signs the heads of all chains if the last checkpoint is an hour old. Returns the checkpoint, or undefined if none is due
 * or another run was faster. It signs only heads that continue what the last checkpoint signed.
 *
 * @throws ChainBroken
 */
const createCheckpoint = async (
  services: Services,
  openSigner: () => Promise<Signer>,
): Promise<NewCheckpoint | undefined> => {
  const { table, config, now } = services
  const latest = await findLatestCheckpoint(table)
  const previous = latest && requireStatement(latest)
  const signer = await openSigner()
  // Without this check, someone could write a checkpoint with a later time, and no other one would be signed.
  const isContinued =
    !latest || isSignatureValid(await signer.getPublicKey(), latest.statement, latest.signature)
  if (previous && isContinued && now() < previous.at + auditCheckpointMs) return undefined
  const heads = await verifyHeads(services, previous)
  const at = getAuditTime(config.tableName, now())
  // It expires after the blocks that it signs, and not before an earlier one.
  const expiresAt = Math.max(
    Math.ceil((at + auditCheckpointKeptMs) / 1000),
    previous?.expiresAt ?? 0,
    ...heads.map((head) => head.expiresAt),
  )
  const statement: CheckpointStatement = {
    version: 1,
    number: (previous?.number ?? 0) + 1,
    at,
    previousHash: latest ? hashText(latest.statement) : '',
    previousAt: isContinued ? (previous?.at ?? 0) : at,
    expiresAt,
    previousExpiresAt: isContinued ? (previous?.expiresAt ?? 0) : expiresAt,
    retentionDays: config.auditRetentionMs / day,
    chains: heads.map(signHead),
  }
  const text = JSON.stringify(statement)
  const checkpoint = { number: statement.number, statement: text, signature: await signer.sign(text) }
  return (await storeCheckpoint(table, checkpoint, expiresAt)) ? { ...checkpoint, isContinued } : undefined
}

const requireStatement = ({ number, statement }: StoredCheckpoint): CheckpointStatement => {
  const read = readStatement(statement)
  if (read?.number !== number) throw new ChainBroken(`checkpoint ${number} cannot be read`)
  return read
}

/** Returns the heads of all chains after a check of the last signed block and all later ones. */
const verifyHeads = async (
  { table, config, now }: Services,
  previous: CheckpointStatement | undefined,
): Promise<readonly ChainHead[]> => {
  const findings = new Findings()
  const nowMs = getAuditTime(config.tableName, now())
  const heads = await Promise.all(
    auditShards.map(async (shard) => {
      const signed = listSignedChains(previous ? [previous] : [], shard)
      const check = { table, findings, shard, signed, nowMs, excusedMs: nowMs }
      return (await verifyBlocks(check, Math.max(1, signed[0]?.number ?? 1))).head
    }),
  )
  const [finding] = findings.kept
  if (finding) throw new ChainBroken(`${finding.kind}: ${finding.subject}`)
  return heads.filter((head) => head !== undefined)
}

/**
 * Extends all chains, looks for months without events, and signs a checkpoint if one is due. A chain that cannot be
 * extended does not stop the others.
 *
 * @throws the first error, so that the alarm for failed functions reports it
 */
export const maintainChains = async (services: Services, checkpointLog: Log): Promise<void> => {
  const results = await Promise.allSettled([
    ...auditShards.map((shard) => extendChain(services, shard)),
    surveyAuditIfDue(services.table, {
      nowMs: services.now(),
      retentionMs: services.config.auditRetentionMs,
    }),
  ])
  for (const result of results) if (result.status === 'rejected') throw result.reason
  const checkpoint = await createCheckpoint(services, () => openSigner(services.config))
  if (!checkpoint) return
  const { number, statement, signature, isContinued } = checkpoint
  // A changed character would make the line useless, and a hash can look like the beginning of a credential.
  checkpointLog.info('audit.checkpoint', {
    checkpoint: new PublicText(`${number}:${hashText(statement)}`),
    statement: new PublicText(statement),
    signature: new PublicText(signature),
  })
  // An alarm for each change of the key is better than none for a checkpoint that someone else wrote.
  if (!isContinued) throw new ChainBroken(`another key signed checkpoint ${number - 1}`)
}
