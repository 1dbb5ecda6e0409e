import { createFeedbackJob } from '../../lib/features/mail/feedback.job.ts'
import { createServices } from '../../lib/services.ts'

export const handler = createFeedbackJob(createServices(process.env))
