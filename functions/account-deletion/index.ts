import { createDeletionJob } from '../../lib/features/directory/deletion/deletion.job.ts'
import { createServices } from '../../lib/services.ts'

export const handler = createDeletionJob(createServices(process.env))
