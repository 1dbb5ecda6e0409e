import { groups } from '../../lib/contract/operations/groups.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { createGroup } from './create.ts'
import { deleteGroup } from './delete.ts'
import { getAllGroups, getGroup } from './read.ts'
import { patchGroup, updateGroup } from './update.ts'

export const handler = createGroupHandler(groups, {
  getAllGroups,
  createGroup,
  getGroup,
  updateGroup,
  patchGroup,
  deleteGroup,
})
