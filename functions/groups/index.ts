import { groups } from '../../lib/contract/operations/groups.ts'
import { createHandler } from '../../lib/http/handler.ts'
import { createGroup } from './create.ts'
import { deleteGroup } from './delete.ts'
import { getAllGroups, getGroup } from './read.ts'
import { patchGroup, updateGroup } from './update.ts'

export const handler = createHandler(groups, {
  getAllGroups,
  createGroup,
  getGroup,
  updateGroup,
  patchGroup,
  deleteGroup,
})
