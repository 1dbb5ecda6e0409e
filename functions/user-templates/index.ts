import { userTemplates } from '../../lib/contract/operations/user-templates.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { getAllUserTemplates, getUserTemplate } from './read.ts'
import { createUserTemplate, deleteUserTemplate, patchUserTemplate, updateUserTemplate } from './write.ts'

export const handler = createGroupHandler(userTemplates, {
  getAllUserTemplates,
  createUserTemplate,
  getUserTemplate,
  updateUserTemplate,
  patchUserTemplate,
  deleteUserTemplate,
})
