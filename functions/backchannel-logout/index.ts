import { createLogoutJob } from '../../lib/features/oauth/logout.job.ts'
import { createServices } from '../../lib/services.ts'

export const handler = createLogoutJob(createServices(process.env))
