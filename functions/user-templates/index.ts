import { userTemplates } from '../../lib/contract/operations/user-templates.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { getAllUserTemplates, getUserTemplate } from './read.ts'
import { createUserTemplate, deleteUserTemplate, patchUserTemplate, updateUserTemplate } from './write.ts'

export const handler = handlerFor(userTemplates, {
  getAllUserTemplates,
  createUserTemplate,
  getUserTemplate,
  updateUserTemplate,
  patchUserTemplate,
  deleteUserTemplate,
})
