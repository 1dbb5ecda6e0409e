import * as deletion from '../../lib/features/directory/delete-group.use-cases.ts'
import { groups } from '../../lib/features/directory/groups.operations.ts'
import * as useCases from '../../lib/features/directory/groups.use-cases.ts'
import * as update from '../../lib/features/directory/update-group.use-cases.ts'
import { createGroupHandler } from '../create-group-handler.ts'

export const handler = createGroupHandler(groups, {
  ...useCases,
  ...deletion,
  ...update,
})
