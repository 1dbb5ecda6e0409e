import { createOutboxJob } from '../../lib/features/mail/outbox.job.ts'
import { createServices } from '../../lib/services.ts'

export const handler = createOutboxJob(createServices(process.env))
