import { createConfigJob } from '../../lib/features/configuration/config.job.ts'
import { findProductEntrance } from '../../lib/features/configuration/doors.part.ts'
import { createServices } from '../../lib/services.ts'

export const handler = createConfigJob(createServices(process.env), findProductEntrance)
