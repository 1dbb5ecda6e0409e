import { health } from '../../lib/features/health/operations.ts'
import * as useCases from '../../lib/features/health/use-cases.ts'
import { createGroupHandler } from '../create-group-handler.ts'

export const handler = createGroupHandler(health, useCases)
