import { createRefreshJob } from '../../lib/features/connections/refresh.job.ts'
import { createServices } from '../../lib/services.ts'

export const handler = createRefreshJob(createServices(process.env))
