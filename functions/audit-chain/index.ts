import { maintainChains } from '../../lib/features/audit/maintain-chains.ts'
import { createLog } from '../../lib/kernel/log/log.ts'
import { createServices } from '../../lib/services.ts'

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
  const { archiveInBucket } = await import('../../lib/features/audit/archive-bucket.ts')
  await archiveInBucket(services, bucket)
}
