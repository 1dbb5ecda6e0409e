import * as deletion from '../../lib/features/directory/groups/delete-group.use-cases.ts'
import { groups } from '../../lib/features/directory/groups/groups.operations.ts'
import * as useCases from '../../lib/features/directory/groups/groups.use-cases.ts'
import * as update from '../../lib/features/directory/groups/update-group.use-cases.ts'
import { createGroupHandler } from '../create-group-handler.ts'

export const handler = createGroupHandler(groups, {
  ...useCases,
  ...deletion,
  ...update,
})
