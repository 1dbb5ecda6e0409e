import { userFiles } from '../../lib/contract/operations/user-files/user-files.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as exportLines from './export.ts'
import * as importLines from './import.ts'

export const handler = createGroupHandler(userFiles, { ...importLines, ...exportLines })
