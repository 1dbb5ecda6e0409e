import { userTemplates } from '../../lib/contract/operations/user-templates.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as useCases from './use-cases.ts'

export const handler = createGroupHandler(userTemplates, {
  ...useCases,
})
