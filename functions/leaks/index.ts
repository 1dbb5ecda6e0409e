import { leaks } from '../../lib/contract/operations/leaks.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { reportLeakedCredentials } from './report.ts'

export const handler = createGroupHandler(leaks, { reportLeakedCredentials })
