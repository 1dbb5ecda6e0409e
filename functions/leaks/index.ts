import { leaks } from '../../lib/contract/operations/leaks.ts'
import { createHandler } from '../../lib/http/handler.ts'
import { reportLeakedCredentials } from './report.ts'

export const handler = createHandler(leaks, { reportLeakedCredentials })
