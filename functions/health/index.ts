import { health } from '../../lib/contract/operations/health.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { getHealth } from './get-health.ts'

export const handler = createGroupHandler(health, { getHealth })
