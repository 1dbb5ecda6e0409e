import { groups } from '../../lib/contract/operations/groups.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as deletion from './delete.ts'
import * as update from './update.ts'
import * as useCases from './use-cases.ts'

export const handler = createGroupHandler(groups, {
  ...useCases,
  ...deletion,
  ...update,
})
