import * as activity from '../../lib/features/audit/activity.use-cases.ts'
import * as blocks from '../../lib/features/audit/blocks.use-cases.ts'
import { audit } from '../../lib/features/audit/operations.ts'
import * as overview from '../../lib/features/audit/overview.use-cases.ts'
import * as useCases from '../../lib/features/audit/use-cases.ts'
import { createGroupHandler } from '../create-group-handler.ts'

export const handler = createGroupHandler(audit, {
  ...useCases,
  ...overview,
  ...activity,
  ...blocks,
})
