import { health } from '../../lib/contract/operations/health.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as useCases from './use-cases.ts'

export const handler = createGroupHandler(health, useCases)
