import { userTemplates } from '../../lib/contract/operations/user-templates.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { notImplemented } from '../../lib/http/use-case.ts'

export const handler = handlerFor(userTemplates, {
  getAllUserTemplates: notImplemented,
  createUserTemplate: notImplemented,
  getUserTemplate: notImplemented,
  updateUserTemplate: notImplemented,
  patchUserTemplate: notImplemented,
  deleteUserTemplate: notImplemented,
})
