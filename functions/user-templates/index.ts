import { userTemplates } from '../../lib/features/directory/templates.operations.ts'
import * as useCases from '../../lib/features/directory/templates.use-cases.ts'
import { createGroupHandler } from '../create-group-handler.ts'

export const handler = createGroupHandler(userTemplates, {
  ...useCases,
})
