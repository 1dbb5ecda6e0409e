import { health } from '../../lib/contract/operations/health.ts'
import { createHandler } from '../../lib/http/handler.ts'
import { getHealth } from './get-health.ts'

export const handler = createHandler(health, { getHealth })
