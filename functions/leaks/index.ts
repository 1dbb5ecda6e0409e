import { findCredential } from '../../lib/features/leaked-credentials/find.use-cases.ts'
import { leaks } from '../../lib/features/leaked-credentials/operations.ts'
import { reportLeakedCredentials } from '../../lib/features/leaked-credentials/report.use-cases.ts'
import { createGroupHandler } from '../create-group-handler.ts'

export const handler = createGroupHandler(leaks, { reportLeakedCredentials, findCredential })
