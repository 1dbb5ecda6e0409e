import * as create from '../../lib/features/api-tokens/create.use-cases.ts'
import { apiTokens } from '../../lib/features/api-tokens/operations.ts'
import * as useCases from '../../lib/features/api-tokens/use-cases.ts'
import { createGroupHandler } from '../create-group-handler.ts'

export const handler = createGroupHandler(apiTokens, {
  ...create,
  ...useCases,
})
