import { userTemplates } from '../../lib/features/directory/templates/templates.operations.ts'
import * as useCases from '../../lib/features/directory/templates/templates.use-cases.ts'
import { createGroupHandler } from '../create-group-handler.ts'

export const handler = createGroupHandler(userTemplates, {
  ...useCases,
})
