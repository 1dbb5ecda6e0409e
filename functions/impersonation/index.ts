import { impersonation } from '../../lib/contract/operations/impersonation.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as useCases from './use-cases.ts'

export const handler = createGroupHandler(impersonation, useCases)
