import { findCredential } from '../../lib/features/leaked-credentials/find.use-cases.ts'
import { leaks } from '../../lib/features/leaked-credentials/operations.ts'
import { reportLeakedCredentials } from '../../lib/features/leaked-credentials/report.use-cases.ts'
import { leavers } from '../../lib/features/leavers/operations.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'

export const handler = createGroupHandler(
  { ...leaks, ...leavers },
  {
    reportLeakedCredentials,
    findCredential,
    ...onDemand(
      () => import('../../lib/features/leavers/use-cases.ts'),
      'getUserHoldings',
      'endUserHoldings',
    ),
  },
)
