import { userFiles } from '../../lib/features/user-files/operations.ts'
import * as useCases from '../../lib/features/user-files/use-cases.ts'
import { createGroupHandler } from '../create-group-handler.ts'

export const handler = createGroupHandler(userFiles, useCases)
