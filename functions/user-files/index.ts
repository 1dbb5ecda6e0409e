import { userFiles } from '../../lib/contract/operations/user-files/user-files.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as useCases from './use-cases.ts'

export const handler = createGroupHandler(userFiles, useCases)
