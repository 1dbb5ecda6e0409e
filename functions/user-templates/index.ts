import { userTemplates } from '../../lib/contract/operations/user-templates.ts'
import { createHandler } from '../../lib/http/handler.ts'
import { getAllUserTemplates, getUserTemplate } from './read.ts'
import { createUserTemplate, deleteUserTemplate, patchUserTemplate, updateUserTemplate } from './write.ts'

export const handler = createHandler(userTemplates, {
  getAllUserTemplates,
  createUserTemplate,
  getUserTemplate,
  updateUserTemplate,
  patchUserTemplate,
  deleteUserTemplate,
})
