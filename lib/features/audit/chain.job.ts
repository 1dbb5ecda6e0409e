import { createLog } from '../../kernel/log/log.ts'
import type { Services } from '../../services.ts'
import { maintainChains } from './maintain-chains.ts'

/**
 * Extends the chains of audit events. Looks for empty months and signs a checkpoint once an hour, and copies what it signed to
 * the archive if there is one. A schedule runs it every minute.
 */
export const createChainJob = (services: Services, bucket: string | undefined) => {
  // Checkpoints are logged at any log level on AWS, because the log is the copy that the table's writers cannot change.
  const checkpointLog = services.config.auditKeyId ? createLog('info') : services.log
  return async (): Promise<void> => {
    await maintainChains(services, checkpointLog)
    if (!bucket) return
    // Most services have no archive, and need no client of S3.
    const { archiveInBucket } = await import('./archive-bucket.ts')
    await archiveInBucket(services, bucket)
  }
}
