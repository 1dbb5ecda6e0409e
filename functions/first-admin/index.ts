import { createFirstAdminJob } from '../../lib/features/directory/users/first-admin.job.ts'
import { createServices } from '../../lib/services.ts'

// Not yet created: an invalid setting must get an answer, and a deleted resource needs no services.
export const handler = createFirstAdminJob(() => createServices(process.env))
