import { createForwardJob } from '../../lib/features/audit/forward.job.ts'
import { createServices } from '../../lib/services.ts'

export const handler = createForwardJob(createServices(process.env), process.env)
