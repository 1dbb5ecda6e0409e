import { ChainBroken } from '../../lib/audit-chain/chain-broken.ts'
import { createCheckpoint } from '../../lib/audit-chain/create-checkpoint.ts'
import { extendChain } from '../../lib/audit-chain/extend-chain.ts'
import { hashText } from '../../lib/audit-chain/hashes.ts'
import { createLog, type Log } from '../../lib/log/log.ts'
import { openSigner } from '../../lib/secrets/open-signer.ts'
import { createServices, type Services } from '../../lib/services.ts'
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

const services = createServices(process.env)
/** Checkpoints are logged at any log level on AWS, because the log is the copy that the table's writers cannot change. */
const checkpointLog = services.config.auditKeyId ? createLog('info') : services.log

const bucket = process.env['AUDIT_ARCHIVE']

/**
 * Extends the chains of audit events. Looks for empty months and signs a checkpoint once an hour, and copies what it signed to
 * the archive if there is one. A schedule runs it every minute.
 */
export const handler = async (): Promise<void> => {
  await maintainChains(services, checkpointLog)
  if (!bucket) return
  // Most services have no archive, and need no client of S3.
  const { archiveInBucket } = await import('./archive-bucket.ts')
  await archiveInBucket(services, bucket)
}
