import { hashText } from '../../lib/audit-chain/chain-blocks.ts'
import { createCheckpoint } from '../../lib/audit-chain/create-checkpoint.ts'
import { extendChain } from '../../lib/audit-chain/extend-chain.ts'
import { ChainBroken } from '../../lib/audit-chain/findings.ts'
import type { Log } from '../../lib/log/log.ts'
import { openSigner } from '../../lib/secrets/open-signer.ts'
import type { Services } from '../../lib/services.ts'
import { surveyAuditIfDue } from '../../lib/store/audit/audit-survey.ts'
import { auditShards } from '../../lib/store/keys/audit-shards.ts'

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
  checkpointLog.info('audit.checkpoint', {
    checkpoint: `${number}:${hashText(statement)}`,
    statement,
    signature,
  })
  // An alarm for each change of the key is better than none for a checkpoint that someone else wrote.
  if (!isContinued) throw new ChainBroken(`another key signed checkpoint ${number - 1}`)
}
