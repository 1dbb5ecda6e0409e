import { createLog } from '../../lib/log/log.ts'
import { createServices } from '../../lib/services.ts'
import { maintainChains } from './maintain-chains.ts'

const services = createServices(process.env)
/** Checkpoints are logged at any log level on AWS, because the log is the copy that the table's writers cannot change. */
const checkpointLog = services.config.auditKeyId ? createLog('info') : services.log

/** Extends the chains of audit events. Looks for empty months and signs a checkpoint once an hour. A schedule runs it every minute. */
export const handler = (): Promise<void> => maintainChains(services, checkpointLog)
