import { createChainJob } from '../../lib/features/audit/chain.job.ts'
import { createServices } from '../../lib/services.ts'

export const handler = createChainJob(createServices(process.env), process.env['AUDIT_ARCHIVE'])
