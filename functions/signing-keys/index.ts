import { createSigningKeysJob } from '../../lib/features/oauth/signing-keys.job.ts'
import { createServices } from '../../lib/services.ts'

export const handler = createSigningKeysJob(createServices(process.env))
