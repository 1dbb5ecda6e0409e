import { impersonation } from '../../lib/features/impersonation/operations.ts'
import * as useCases from '../../lib/features/impersonation/use-cases.ts'
import { createGroupHandler } from '../create-group-handler.ts'

export const handler = createGroupHandler(impersonation, useCases)
